//! What we write is loaded by an implementation of the Eclipse UML2 metamodel (pyuml2 on pyecore), where it is installed: it refuses elements,
//! types, literals and references that the metamodel does not have.

use std::path::{Path, PathBuf};

use sequent_kernel::model::Model;
use sequent_notation::xmi;
use sequent_testing::patience::{ToolPatience, is_there};
use sequent_testing::{cases, diagram};

/// Loads the files named in the arguments; a line for each that is refused.
const SCRIPT: &str = "
import sys
try:
    import pyuml2.uml as uml
    from pyecore.resources import ResourceSet, URI
    from pyecore import ecore
except ImportError:
    print('missing')
    sys.exit(0)
for path in sys.argv[1:]:
    resources = ResourceSet()
    resources.metamodel_registry['http://www.eclipse.org/uml2/5.0.0/UML'] = uml
    resources.metamodel_registry[ecore.nsURI] = ecore
    try:
        for root in resources.get_resource(URI(path)).contents:
            print('loaded', sum(1 for _ in root.eAllContents()))
    except Exception as problem:
        print('refused', path, type(problem).__name__, problem)
";

/// Models in which classes are what cannot own everything that diagrams draw in them.
const ODD: &[&str] = &[
    "@startuml\ninterface Bell {\n  ring()\n  limit : 0..3\n}\n@enduml\n@startuml Bell\n[*] --> Quiet\nQuiet --> Loud : ring\n@enduml\n",
    "@startuml\nactor User\nUser -> Door : open\n@enduml\n@startuml\nclass User {\n  tired : bool\n  rest()\n  call <<signal>>\n}\nUser --> Door\n@enduml\n",
    "@startuml\nclass pay <<signal>> {\n  amount\n  check()\n}\nenum Colour {\n  red\n  mix()\n}\nclass Shop {\n  pay() <<signal>>\n  many : Colour [n..*]\n}\n@enduml\n",
    "@startuml\nobject \"a : Unknown\" as a <<main>> {\n  n = 3\n}\nobject b\na \"left\" -- \"right\" b : line\n@enduml\n",
    "@startuml\na -> b : f\ngroup sloop (2,3)\nb -> a : g\nend\nloop (inf)\na -> b : f\nend\ncreate c\na -> c : new\ndestroy c\n[-> a : found\na ->] : lost\nhnote over a : n > 3\nref over a, b : other\n@enduml\n",
];

fn models() -> Vec<Model> {
    let examples = cases::all().into_iter().chain(cases::pssm()).map(|case| cases::read(&case).reading.model);
    let odd = ODD.iter().map(|text| diagram::model(text));
    let pages: Vec<Model> = examples.chain(odd).collect();
    pages.into_iter().filter(|model| *model != Model::default()).collect()
}

fn write(folder: &Path) -> Vec<String> {
    let named = models().into_iter().enumerate().map(|(number, model)| {
        let path: PathBuf = folder.join(format!("model{number}.uml"));
        std::fs::write(&path, xmi::print::model(&model, "model")).expect("a writable folder");
        path.to_string_lossy().into_owned()
    });
    named.collect()
}

#[test]
fn written_models_are_loaded_by_another_implementation() {
    if !is_there("python3") {
        return;
    }
    let folder = std::env::temp_dir().join(format!("sequent-uml-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a writable folder");
    let (patience, mut loaded) = (ToolPatience::default(), 0);
    for files in write(&folder).chunks(10) {
        let arguments: Vec<&str> =
            ["-c", SCRIPT].into_iter().chain(files.iter().map(String::as_str)).collect();
        let Ok(output) = patience.run("python3", &arguments, "") else { continue };
        if output.stdout.starts_with("missing") {
            println!("pyuml2 is not installed: it is not asked");
            break;
        }
        let refused: Vec<&str> = output.stdout.lines().filter(|line| line.starts_with("refused")).collect();
        assert!(refused.is_empty(), "{}", refused.join("\n"));
        loaded += output.stdout.lines().count();
    }
    std::fs::remove_dir_all(&folder).expect("our own folder");
    println!("{loaded} models were loaded");
}
