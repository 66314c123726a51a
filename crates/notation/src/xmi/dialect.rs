//! Which tool wrote a file, where that decides what the file means.

use roxmltree::Document;

/// Tools whose files need to be read in their own way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum ModelingTool {
    /// Sparx Enterprise Architect: names of events stand in triggers, `local` means nothing, fragments are not in order of time.
    EnterpriseArchitect,
    /// MagicDraw and Cameo: fragments may hold their content only in the drawing.
    MagicDraw,
    /// All others.
    Other,
}

impl ModelingTool {
    /// The tool that a document names as its exporter.
    pub(crate) fn of(document: &Document) -> Self {
        let root = document.root_element();
        // Several documents beside each other are put into one element.
        let inside = root.children().filter(|child| child.is_element() && root.has_tag_name("fragment"));
        let roots: Vec<_> = std::iter::once(root).chain(inside).collect();
        let mut children = roots.iter().flat_map(|root| root.children());
        let documentation = children.find(|child| child.tag_name().name() == "Documentation");
        let exporter = documentation.and_then(|node| {
            let written = node.attributes().find(|attribute| attribute.name() == "exporter");
            let inside = node.children().find(|child| child.tag_name().name() == "exporter");
            written.map(|attribute| attribute.value()).or_else(|| inside.and_then(|inside| inside.text()))
        });
        let namespaces = || {
            let mut all = roots.iter().flat_map(|root| root.namespaces());
            all.any(|namespace| namespace.uri().contains("magicdraw"))
        };
        match exporter.unwrap_or_default() {
            name if name.contains("Enterprise Architect") => ModelingTool::EnterpriseArchitect,
            name if name.contains("MagicDraw") || name.contains("Cameo") => ModelingTool::MagicDraw,
            _ if namespaces() => ModelingTool::MagicDraw,
            _ => ModelingTool::Other,
        }
    }
}
