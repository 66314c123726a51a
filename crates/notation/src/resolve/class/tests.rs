//! Classes and objects from PlantUML text.

use expect_test::{Expect, expect};
use sequent_kernel::source::Sources;

use super::*;
use crate::line;

fn check(inputs: &[&str], expected: Expect) {
    let mut model = Model::default();
    let mut sources = Sources::new();
    let mut diagnostics = Vec::new();
    for input in inputs {
        let file = sources.add("a.puml", *input);
        let lines = line::cut(file, sources.get(file), 0..input.len());
        let statements = crate::plantuml::class::read(&lines, &mut diagnostics);
        classes(&statements, &|_| true, &mut model);
    }
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    expected.assert_eq(&shown(&model));
}

fn shown(model: &Model) -> String {
    let mut out = String::new();
    for class in &model.classes {
        let declared = if class.declared { "" } else { " undeclared" };
        out += &format!("{:?} {} {:?}{declared}\n", class.kind, class.name, class.stereotypes);
        class
            .attributes
            .iter()
            .for_each(|one| out += &format!("  {} : {:?} = {:?}\n", one.name, one.type_name, one.initial));
        for one in &class.operations {
            out += &format!("  {}({}) signal={}\n", one.name, one.parameters.len(), one.is_signal);
        }
        if !class.literals.is_empty() {
            out += &format!("  {:?}\n", class.literals);
        }
    }
    for one in &model.associations {
        let end = |end: &AssociationEnd| {
            let arrow = if end.navigable { ">" } else { "" };
            format!("{}{arrow} {:?} {:?}", model.classes[end.class].name, end.role, end.multiplicity)
        };
        out += &format!("{:?} {:?}: {} | {}\n", one.kind, one.name, end(&one.ends[0]), end(&one.ends[1]));
    }
    for object in &model.objects {
        out += &format!("object {} : {:?} {:?}\n", object.name, object.class, object.values);
    }
    for link in &model.links {
        let name = |id: ObjectId| &model.objects[id].name;
        out += &format!(
            "link {:?} {} {:?} -- {} {:?}\n",
            link.name,
            name(link.ends[0]),
            link.roles[0],
            name(link.ends[1]),
            link.roles[1]
        );
    }
    out
}

#[test]
fn the_bank_and_its_machines() {
    check(
        &[
            "class ATM {\n <<signal>> PINVerified()\n signal abort()\n}\nclass Bank {\n int maxNumIncorrect = 2\n cardValid : boolean = true\n verifyPIN()\n}\nATM \"1 atm\" -- \"bank 1\" Bank\n",
        ],
        expect![[r#"
            Class ATM []
              PINVerified(0) signal=true
              abort(0) signal=true
            Class Bank []
              maxNumIncorrect : Some("int") = Some("2")
              cardValid : Some("boolean") = Some("true")
              verifyPIN(0) signal=false
            Association None: ATM Some("atm") Some("1") | Bank Some("bank") Some("1")
        "#]],
    );
}

#[test]
fn capsules_protocols_ports_and_connectors() {
    check(
        &[
            "protocol Withdraw_P {\n <<in>> auth(id : ID, pin : PIN, out ok : bool)\n <<out>> start()\n}\nclass Bank <<capsule>> {\n wd : Withdraw_P <<port>>\n}\nclass ATM <<capsule>>\nBank *-- \"*\" Account\nWithdraw_P <|.. Bank\n",
            "object \"b : Bank\" as b\nobject \"a1 : ATM\" as x\nobject a2\na2 : id = 7\na2 ..> ATM\nb::wd -- x::wd : line\nb \"wd\" -- \"wd\" a2\n",
        ],
        expect![[r#"
            Protocol Withdraw_P []
              auth(3) signal=false
              start(0) signal=false
            Capsule Bank []
              wd : Some("Withdraw_P") = None
            Capsule ATM []
            Class Account [] undeclared
            Composition None: Bank None None | Account None Some("*")
            Realization None: Bank None None | Withdraw_P None None
            object b : Some("Bank") []
            object a1 : Some("ATM") []
            object a2 : Some("ATM") [("id", "7")]
            link Some("line") b Some("wd") -- a1 Some("wd")
            link None b Some("wd") -- a2 Some("wd")
        "#]],
    );
}

#[test]
fn several_diagrams_add_to_one_class() {
    check(
        &[
            "class A {\n x\n}\nA --> B\n",
            "class A {\n x\n y\n}\nstruct B extends A\nB <-- A\nA --> B\nenum C {\n RED, \n GREEN = 2\n}\nclass D <<enumeration>> {\n ON\n}\npackage p {\n class E\n}\np.E o-- D\n",
        ],
        expect![[r#"
            Class A []
              x : None = None
              y : None = None
            Class B ["struct"]
            Enumeration C []
              ["RED", "GREEN"]
            Enumeration D []
              ["ON"]
            Class E []
            Association None: A None None | B> None None
            Generalization None: B None None | A None None
            Aggregation None: E None None | D None None
        "#]],
    );
}
