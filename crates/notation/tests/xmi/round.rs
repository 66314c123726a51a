//! Models that are written and read again are the same.

use std::path::PathBuf;

use sequent_kernel::model::Model;
use sequent_notation::xmi;
use sequent_testing::corpus::corpus;

use crate::samples;

fn again(model: &Model) -> (String, Model) {
    let text = xmi::print::model(model, "model");
    let sample = samples::read_bytes(&PathBuf::from("again.uml"), text.as_bytes());
    assert_eq!(sample.refused.len(), 0, "{text}");
    (text, sample.model)
}

#[test]
fn written_models_read_as_the_same() {
    let Some(corpus) = corpus() else { return };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(corpus.join("xmi"))
        .expect("models")
        .map(|one| one.expect("entry").path())
        .collect();
    paths.sort();
    let mut differing = Vec::new();
    for path in paths.into_iter().filter(|path| xmi::has_ending(&path.to_string_lossy())) {
        let model = samples::read(&path).model;
        let (text, again) = again(&model);
        assert_eq!(text, xmi::print::model(&model, "model"), "two runs differ");
        let mut differ = |what: &str, is_same: bool| {
            if !is_same {
                differing.push(format!("{what} of {}", path.display()));
            }
        };
        differ("interactions", model.interactions == again.interactions);
        differ("machines", model.machines == again.machines);
        differ("classes", model.classes == again.classes);
        differ("objects", model.objects == again.objects);
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}
