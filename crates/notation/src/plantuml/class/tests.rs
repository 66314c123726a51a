//! Statements of class and object diagrams.

use expect_test::{Expect, expect};
use sequent_kernel::source::Sources;

use super::*;
use crate::line;
use crate::tree::class::RelationEnd;

/// One line of output per statement, then the complaints.
fn check(input: &str, expected: Expect) {
    let mut sources = Sources::new();
    let file = sources.add("a.puml", input);
    let lines = line::cut(file, sources.get(file), 0..input.len());
    let mut diagnostics = Vec::new();
    let statements = read(&lines, &mut diagnostics);
    let mut out = String::new();
    for statement in &statements {
        out += &match &statement.kind {
            StatementKind::Item(item) => shown(item),
            StatementKind::Title(title) => format!("title {title:?}"),
            StatementKind::Caption(caption) => format!("{caption:?}"),
            StatementKind::Presentation => "looks".to_owned(),
            StatementKind::Unknown => "?".to_owned(),
            StatementKind::Comment | StatementKind::Directive(_) | StatementKind::Preprocessor => {
                unreachable!("taken out before")
            }
        };
        out += "\n";
    }
    for diagnostic in diagnostics {
        out += &format!("{}: {}", diagnostic.name(), diagnostic.message);
        out += &diagnostic.hint.map_or("\n".to_owned(), |hint| format!(" ({hint})\n"));
    }
    expected.assert_eq(&out);
}

fn shown(item: &ClassStatement) -> String {
    let list = |names: &[Name]| names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ");
    match item {
        ClassStatement::Class(class) => {
            let mut out = format!("{:?} {}", class.keyword, class.name.text);
            out += &class.name.label.as_ref().map_or(String::new(), |label| format!(" {label:?}"));
            out += &class.generics.as_ref().map_or(String::new(), |generics| format!(" <{generics}>"));
            class.stereotypes.iter().for_each(|word| out += &format!(" <<{word}>>"));
            out += &class.colour.as_ref().map_or(String::new(), |colour| format!(" {colour}"));
            if !class.extends.is_empty() {
                out += &format!(" extends {}", list(&class.extends));
            }
            if !class.implements.is_empty() {
                out += &format!(" implements {}", list(&class.implements));
            }
            out + if class.opens { " {" } else { "" }
        }
        ClassStatement::Package(package) => format!("package {:?} {{", package.name.text),
        ClassStatement::Close => "}".to_owned(),
        ClassStatement::Member { owner, text } => {
            format!("{} : {:?}", owner.as_ref().map_or("", |owner| &owner.text), text.text)
        }
        ClassStatement::Separator(title) => format!("-- {title:?}"),
        ClassStatement::Annotation { owner, stereotype } => {
            format!("{} <<{stereotype}>>", owner.as_ref().map_or("", |owner| &owner.text))
        }
        ClassStatement::Relation(relation) => {
            let dash = if relation.dashed { ".." } else { "--" };
            format!("{} {dash} {} {:?}", end(&relation.ends[0]), end(&relation.ends[1]), relation.text.text)
        }
        ClassStatement::Note(note) => format!("note {:?}", note.text.text),
    }
}

fn end(end: &RelationEnd) -> String {
    let mut out = end.name.text.clone();
    out += &end.member.as_ref().map_or(String::new(), |member| format!("::{member}"));
    out += &end.qualifier.as_ref().map_or(String::new(), |key| format!("[{key}]"));
    out += &end.text.as_ref().map_or(String::new(), |text| format!("{:?}", text.text));
    format!("{out}({:?})", end.head)
}

#[test]
fn declarations() {
    check(
        r#"class A
abstract class B<T extends X<Y>> <<entity>> #red extends C, D implements E {
  + name : String = "x"
  {static} count() : int
  -- more --
  ==
}
interface "Long name" as F
enum G { 
  RED
}
class H {}
static class I
object "o : C" as o
object p {
  x = 1
}
map M {
 a => b
}
<> d
() circle
protocol Use_P <<base>>
package "My pack" <<Folder>> {
  class a.b.C
}
namespace n {
}
together {
}
A : field
"Long name" : method()
A <<signal>>
hide empty members
class Open {
"#,
        expect![[r#"
            Class A
            Abstract B <T extends X<Y>> <<entity>> #red extends C, D implements E {
             : "+ name : String = \"x\""
             : "{static} count() : int"
            -- "more"
            -- ""
            }
            Interface F "Long name"
            Enum G {
             : "RED"
            }
            Class H {
            }
            Class I
            Object o "o : C"
            Object p {
             : "x = 1"
            }
            Map M {
             : "a => b"
            }
            Diamond d
            Circle circle
            Protocol Use_P <<base>>
            package "My pack" {
            Class a.b.C
            }
            package "n" {
            }
            package "" {
            }
            A : "field"
            Long name : "method()"
            A <<signal>>
            looks
            Class Open {
            E102: `class Open {` is never closed: `}` is missing
        "#]],
    );
}

#[test]
fn relations() {
    check(
        r#"A <|-- B
A <|.. B : implements
A *-- "0..*" C : has >
A "1" o-left-> "role 2" C
A --> B
A::x ..> B::y
a.b.C -[#red,dashed]- D
A-B
A-->B
A ()- I
A "x" -- "y" "Long name"
A [key] -- B
A -[hidden]right- B
A }|..|{ B
A x-- B
A -0)- B
A <-- B #red : +label
(A, B) .. C
A -- 
"#,
        expect![[r#"
            A(Triangle) -- B(Plain) ""
            A(Triangle) .. B(Plain) "implements"
            A(Diamond) -- C"0..*"(Plain) "has >"
            A"1"(OpenDiamond) -- C"role 2"(Arrow) ""
            A(Plain) -- B(Arrow) ""
            A::x(Plain) .. B::y(Arrow) ""
            a.b.C(Plain) .. D(Plain) ""
            A(Plain) -- B(Plain) ""
            A(Plain) -- B(Arrow) ""
            A(Other(Circle)) -- I(Plain) ""
            A"x"(Plain) -- Long name"y"(Plain) ""
            A[key](Plain) -- B(Plain) ""
            looks
            A(Other(OneOrMany)) .. B(Other(OneOrMany)) ""
            A(Other(Cross)) -- B(Plain) ""
            A(Plain) -- B(Plain) ""
            A(Arrow) -- B(Plain) "label"
            looks
            ?
            W108: association classes are not kept in the model
            E101: `A --` is not a valid statement in a class diagram
        "#]],
    );
}
