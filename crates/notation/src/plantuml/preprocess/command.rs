//! The lines that start with `!`.

use crate::plantuml::common::scan::{Scan, trim};

/// What a line says to the preprocessor, with the text that follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PreprocessorCommand<'a> {
    /// Nothing: it is a line of the diagram.
    Plain,
    /// `!define NAME text`, `!define NAME(a, b) text`
    Define(&'a str),
    /// `!definelong NAME(a, b)`
    DefineLong(&'a str),
    /// `!$name = value`, `!local name ?= value`
    Assign(&'a str),
    /// `!if expression`
    If(&'a str),
    /// `!ifdef NAME`
    IfDef(&'a str),
    /// `!ifndef NAME`
    IfNotDef(&'a str),
    /// `!elseif expression`
    ElseIf(&'a str),
    /// `!else`
    Else,
    /// `!endif`
    EndIf,
    /// `!while expression`
    While(&'a str),
    /// `!endwhile`
    EndWhile,
    /// `!foreach $name in expression`
    Foreach(&'a str),
    /// `!endfor`
    EndFor,
    /// `!function name(a, b)`, with whether it is `unquoted`
    Function(&'a str, bool),
    /// `!procedure name(a, b)`, with whether it is `unquoted`
    Procedure(&'a str, bool),
    /// `!endfunction`, `!endprocedure`, `!enddefinelong`
    EndFunction,
    /// `!return expression`
    Return(&'a str),
    /// `!include file`, `!include_many`, `!include_once`, `!includeurl`
    Include(&'a str),
    /// `!includesub file!name`
    IncludeSub(&'a str),
    /// `!startsub name`
    StartSub(&'a str),
    /// `!endsub`
    EndSub,
    /// `!undef name`
    Undefine(&'a str),
    /// `!assert expression : message`
    Assert(&'a str),
    /// `!exit`
    Exit,
    /// `!theme`, `!pragma`, `!log` and others that change no line.
    Silent,
    /// Known to PlantUML but not carried out, by name.
    Unsupported(&'static str),
    /// No command at all.
    Unknown,
}

/// All words after `!`.
pub(crate) const WORDS: &[&str] = &[
    "assert",
    "assume",
    "define",
    "definelong",
    "dump_memory",
    "else",
    "elseif",
    "enddefinelong",
    "endfor",
    "endfunction",
    "endif",
    "endprocedure",
    "endsub",
    "endwhile",
    "exit",
    "foreach",
    "function",
    "if",
    "ifdef",
    "ifndef",
    "import",
    "include",
    "include_many",
    "include_once",
    "includedef",
    "includesub",
    "includeurl",
    "log",
    "option",
    "pragma",
    "procedure",
    "return",
    "startsub",
    "theme",
    "undef",
    "unquoted",
    "while",
];

/// What a line says to the preprocessor.
pub(crate) fn parse(line: &str) -> PreprocessorCommand<'_> {
    let text = trim(line);
    let Some(after) = text.strip_prefix('!') else { return PreprocessorCommand::Plain };
    if is_assignment(after) {
        return PreprocessorCommand::Assign(after);
    }
    let mut scan = Scan::new(after);
    let mut unquoted = false;
    loop {
        let before = scan;
        let flag = scan.one_of(&["unquoted", "final"]);
        unquoted |= flag == Some("unquoted");
        if flag.is_none() || !scan.spaces() {
            scan = before;
            break;
        }
    }
    let word = scan.take_while(|c| c.is_ascii_alphanumeric() || c == '_').to_ascii_lowercase();
    let before = scan;
    scan.spaces();
    if word == "end" {
        let closes = scan.one_of(&["function", "procedure", "definelong"]).is_some();
        return if closes { PreprocessorCommand::EndFunction } else { PreprocessorCommand::Unknown };
    }
    by_word(&word, before.rest(), scan.rest(), unquoted)
}

fn by_word<'a>(word: &str, attached: &'a str, rest: &'a str, unquoted: bool) -> PreprocessorCommand<'a> {
    match word {
        "define" => PreprocessorCommand::Define(rest),
        "definelong" => PreprocessorCommand::DefineLong(rest),
        "if" => PreprocessorCommand::If(rest),
        "ifdef" => PreprocessorCommand::IfDef(rest),
        "ifndef" => PreprocessorCommand::IfNotDef(rest),
        "elseif" => PreprocessorCommand::ElseIf(rest),
        "else" => PreprocessorCommand::Else,
        "endif" => PreprocessorCommand::EndIf,
        "while" => PreprocessorCommand::While(rest),
        "endwhile" => PreprocessorCommand::EndWhile,
        "foreach" => PreprocessorCommand::Foreach(rest),
        "endfor" => PreprocessorCommand::EndFor,
        "function" => PreprocessorCommand::Function(rest, unquoted),
        "procedure" => PreprocessorCommand::Procedure(rest, unquoted),
        "endfunction" | "endprocedure" | "enddefinelong" => PreprocessorCommand::EndFunction,
        "return" => PreprocessorCommand::Return(rest),
        "include" | "include_many" | "include_once" | "includeurl" => PreprocessorCommand::Include(rest),
        "includesub" => PreprocessorCommand::IncludeSub(rest),
        "startsub" => PreprocessorCommand::StartSub(rest),
        "endsub" => PreprocessorCommand::EndSub,
        "undef" => PreprocessorCommand::Undefine(rest),
        "assert" => PreprocessorCommand::Assert(rest),
        "exit" if attached.is_empty() => PreprocessorCommand::Exit,
        "theme" | "pragma" | "assume" | "log" | "option" | "dump_memory" => PreprocessorCommand::Silent,
        "import" => PreprocessorCommand::Unsupported("!import"),
        "includedef" => PreprocessorCommand::Unsupported("!includedef"),
        _ => PreprocessorCommand::Unknown,
    }
}

/// `$name =`, `name ?=`, `global name =`
fn is_assignment(after: &str) -> bool {
    let mut scan = Scan::new(after);
    let before = scan;
    if !(scan.one_of(&["local", "global"]).is_some() && scan.spaces()) {
        scan = before;
    }
    if name(&mut scan).is_none() {
        return false;
    }
    scan.spaces();
    let _ = scan.literal("?");
    scan.literal("=")
}

/// Takes the name of a variable or function.
pub(crate) fn name<'a>(scan: &mut Scan<'a>) -> Option<&'a str> {
    let rest = scan.rest();
    let inside = rest.strip_prefix('$').unwrap_or(rest);
    let starts = inside.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let length = inside.find(|c: char| !is_name_part(c)).unwrap_or(inside.len());
    starts.then(|| scan.take(rest.len() - inside.len() + length))
}

/// Whether `c` may stand inside a name.
pub(crate) fn is_name_part(c: char) -> bool {
    c.is_alphabetic() || c.is_ascii_digit() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands() {
        assert_eq!(parse("A -> B !if"), PreprocessorCommand::Plain);
        assert_eq!(parse(" !$x = 1"), PreprocessorCommand::Assign("$x = 1"));
        assert_eq!(parse("!global x ?= 1"), PreprocessorCommand::Assign("global x ?= 1"));
        assert_eq!(parse("!if ($x == 1)"), PreprocessorCommand::If("($x == 1)"));
        assert_eq!(parse("!unquoted final procedure $p($a)"), PreprocessorCommand::Procedure("$p($a)", true));
        assert_eq!(parse("!end procedure"), PreprocessorCommand::EndFunction);
        assert_eq!(parse("!include_many a.puml"), PreprocessorCommand::Include("a.puml"));
        assert_eq!(parse("!incldue a.puml"), PreprocessorCommand::Unknown);
    }
}
