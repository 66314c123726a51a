//! Names for SPIN: variables, arrays of them, and their values.

use std::collections::BTreeMap;

use sequent_kernel::id::{Id, IdVec};
use sequent_kernel::system::{System, Variable, VariableId};

use super::super::names::Identifiers;
use super::super::question::Legend;

/// Words that mean something else in Promela, in C, or in what is written around the steps.
const TAKEN: &str = "active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track chan d_step \
    D_proctype do else empty enabled end eval event false fi full goto hidden if init inline int len local ltl mtype \
    nempty never nfull notrace np_ od of over pc_value pid print printf printm priority proctype provided return run \
    short show skip timeout true trace typedef unless unsigned xr xs complete dead select for in get_priority \
    set_priority main static struct union void char long float double register extern const volatile sizeof \
    switch case default while auto signed enum now uchar uint ushort State Trail \
    continue restrict typeof asm";

/// Macros of the verifier that SPIN writes, and of the C headers that it includes: a variable of such a name is replaced by
/// something else before the verifier is compiled.
const MACROS: &str = "Addproc Air0 Air1 Air2 Air3 G_int G_long IfNotBlocked Index L_ctermid L_tmpnam Offsetof P_tmpdir \
    PanSource SpinVersion StackSize UnBlock alloca enter_critical errno get16bits getframe leave_critical linux max mix \
    offsetof onstack_put onstack_zap pptr pthread_equal q_sz qptr rand srand sigmask stderr stdin stdout ulong unix wasnew \
    isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toascii \
    tolower toupper be16toh be32toh be64toh htobe16 htobe32 htobe64 htole16 htole32 htole64 le16toh le32toh le64toh \
    si_addr si_arch si_band si_fd si_int si_lower si_overrun si_pid si_pkey si_ptr si_status si_stime si_syscall \
    si_timerid si_uid si_upper si_utime si_value st_atime st_ctime st_mtime va_arg va_copy va_end va_start \
    WCONTINUED WEXITED WNOHANG WNOWAIT WSTOPPED WUNTRACED \
    sa_handler sa_sigaction sigev_notify_attributes sigev_notify_function i386 WS WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED \
    WIFSTOPPED WSTOPSIG WTERMSIG \
    ACCEPT_LAB ACCESSPERMS ALLPERMS ALL_P ALPHA_F ASYNC AUTO_RESIZE A_V BACKWARD_MOVES BAD BASE BFS BIG_ENDIAN BUFSIZ \
    BYTE_ORDER CHAR_BIT CHUNK CNT_P CONTINUE CONTINUE0 DEFFILEMODE DELTA FALSE FAPPEND FASYNC FFSYNC FNDELAY FNONBLOCK \
    FORWARD_MOVES FREQ FROM_P FULLSTACK GLOBAL HAS_CODE HAS_LTL HAS_TRACK INI_P INLINE_REV LITTLE_ENDIAN LOCAL \
    MAXPROC MAXQ MERGED MORE_P NCLAIMS NCORE NDONE_P NFAIR NFDBITS NOFAIR NOREDUCE NQS NR_OPEN NSIG NTRANS NULL \
    ONE_L PAN_H PDP_ENDIAN PIPE_BUF PROG_LAB P__Q Q_EMPT_F Q_EMPT_T Q_FULL_F Q_FULL_T Q_PROVISO SAFETY SYNC \
    TIMEOUT_F TRANSITIONS TRUE T_ID UPTO_P VECTORSZ VERI V_A V_PROVISO XUSAFE NGREG";

/// What the names of constants of the C headers begin with, and end with: error numbers, signals, limits and the like.
const PREFIXES: [&str; 29] = [
    "E", "SIG", "SI_", "SA_", "SS_", "ILL_", "FPE_", "SEGV_", "BUS_", "TRAP_", "CLD_", "POLL_", "O_", "S_",
    "F_", "R_", "W_", "X_", "L_", "AT_", "LOCK_", "FD_", "FP_", "REG_", "UTIME_", "STDIN_", "STDOUT_",
    "STDERR_", "CLOCK",
];
const SUFFIXES: [&str; 4] = ["_MAX", "_MIN", "_C", "_WIDTH"];

/// Whether a name may be a constant of C, by its look: it is written in capitals, without a number that we gave it (`_2`).
fn is_constant(name: &str) -> bool {
    let is_capital = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
    let begins = || PREFIXES.iter().any(|start| name.starts_with(start));
    let ends = || SUFFIXES.iter().any(|end| name.ends_with(end));
    let is_numbered = name.trim_end_matches(|letter: char| letter.is_ascii_digit()).ends_with('_');
    name.len() > 2 && !is_numbered && name.chars().all(is_capital) && (begins() || ends())
}

/// Identifiers for SPIN.
pub(crate) fn fresh() -> Identifiers {
    let mut names = Identifiers::reserving(TAKEN, is_constant);
    MACROS.split_whitespace().for_each(|word| _ = names.give(word));
    names
}

/// How a variable is written: by itself, or as a place in an array.
pub(crate) struct VariableLayout {
    /// What stands for each variable.
    pub variables: IdVec<VariableId, String>,
    /// What is declared, each with the variables that it holds.
    pub declared: Vec<(String, Vec<VariableId>)>,
    /// Names for values.
    pub values: BTreeMap<(VariableId, i32), String>,
    /// The same in the order in which they are declared.
    pub constants: Vec<(String, i32)>,
    /// Variables that are places in a channel: the number of the channel, and which place.
    pub places: BTreeMap<VariableId, (usize, usize)>,
    /// The channels, each with its places.
    pub channels: Vec<(String, Vec<VariableId>)>,
}

impl VariableLayout {
    /// Names for everything in a system. Variables of one row are an array, or a channel if they are one of these queues.
    pub(crate) fn new(
        system: &System,
        legend: &Legend,
        queues: &[&[VariableId]],
        names: &mut Identifiers,
    ) -> Self {
        let mut layout = VariableLayout {
            variables: IdVec::new(),
            declared: Vec::new(),
            values: BTreeMap::new(),
            constants: Vec::new(),
            places: BTreeMap::new(),
            channels: Vec::new(),
        };
        let all: Vec<(VariableId, &Variable)> = system.variables.enumerate().collect();
        let mut at = 0;
        while let Some((id, variable)) = all.get(at).copied() {
            let count = array(&all[at..]);
            let row = variable.row.as_ref().filter(|_| count > 1).map(|row| &row.name);
            let name = names.give(row.unwrap_or(&variable.name));
            let members: Vec<VariableId> =
                (0..count).map(|by| VariableId::from_index(id.index() + by)).collect();
            match members.as_slice() {
                [_] => _ = layout.variables.push(name.clone()),
                _ => (0..count).for_each(|place| _ = layout.variables.push(format!("{name}[{place}]"))),
            }
            layout.explain(&name, &members, legend, names);
            match queues.contains(&members.as_slice()) {
                true => layout.channel(name, members),
                false => layout.declared.push((name, members)),
            }
            at += count;
        }
        layout
    }

    fn channel(&mut self, name: String, members: Vec<VariableId>) {
        let number = self.channels.len();
        let places = members.iter().enumerate().map(|(place, member)| (*member, (number, place)));
        self.places.extend(places);
        self.channels.push((name, members));
    }

    /// The channel that a variable is a place of: its name, and which place.
    pub(crate) fn place(&self, variable: VariableId) -> Option<(&str, usize)> {
        let (channel, place) = self.places.get(&variable)?;
        Some((&self.channels[*channel].0, *place))
    }

    /// How a value of a variable is written: by its name, if it has one.
    pub(crate) fn value(&self, variable: VariableId, value: i32) -> String {
        self.values.get(&(variable, value)).cloned().unwrap_or_else(|| value.to_string())
    }

    /// Names the values of variables that stand side by side alike.
    fn explain(&mut self, owner: &str, members: &[VariableId], legend: &Legend, names: &mut Identifiers) {
        let Some(values) = members.first().and_then(|first| legend.get(first)) else { return };
        for (value, text) in values {
            let name = names.give(&format!("{owner}_{text}"));
            for member in members {
                self.values.insert((*member, *value), name.clone());
            }
            self.constants.push((name, *value));
        }
    }
}

/// How many variables from here on are one array: a row from its first place on.
fn array(rest: &[(VariableId, &Variable)]) -> usize {
    let Some((first, row)) = rest.first().and_then(|(_, first)| Some((first, first.row.as_ref()?))) else {
        return 1;
    };
    let belongs = |(place, (_, other)): &(usize, &(VariableId, &Variable))| {
        let is_next = other.row.as_ref().is_some_and(|other| other.name == row.name && other.place == *place);
        // An array has one range and one first value in Promela.
        let alike = |one: &Variable| (one.min, one.max, one.initial);
        is_next && alike(other) == alike(first)
    };
    rest.iter().enumerate().take_while(belongs).count().max(1)
}
