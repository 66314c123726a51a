//! Texts around diagrams as JSON.

use sequent_kernel::model::{Caption, CaptionKind, CaptionSide};
use serde_json::Value;

use super::record::JsonRecord;

/// A text around a diagram.
pub(super) fn caption(caption: &Caption) -> Value {
    let Caption { kind, side, text } = caption;
    let kind = match kind {
        CaptionKind::Header => "header",
        CaptionKind::UpperLegend => "upper-legend",
        CaptionKind::Legend => "legend",
        CaptionKind::Caption => "caption",
        CaptionKind::Footer => "footer",
    };
    let side = match side {
        CaptionSide::Left => "left",
        CaptionSide::Centre => "centre",
        CaptionSide::Right => "right",
    };
    JsonRecord::kind(kind).put("side", side).put("text", text.as_str()).done()
}
