//! Cells: what stands in the layers of a region, elements and the bends and labels of the lines between them.

use super::Size;

/// What has a place in a layer.
#[derive(Clone, Debug)]
pub(crate) struct LayerCell {
    /// Which layer.
    pub row: usize,
    /// What it is.
    pub kind: CellKind,
    /// Room to the left of its axis.
    pub left: i32,
    /// Room to the right of its axis.
    pub right: i32,
    /// Room along the layers.
    pub height: i32,
    /// It stands before all others of its layer.
    pub is_first: bool,
}

/// The kinds of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CellKind {
    /// The element with this number.
    Element(usize),
    /// A place where a line may bend.
    Bend,
    /// Labels of a line stand beside it.
    Label,
}

/// Cells in layers, with their neighbours.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)]
pub(crate) struct Layers {
    pub cells: Vec<LayerCell>,
    pub rows: Vec<Vec<usize>>,
    /// Neighbours in the layer above, and below.
    pub above: Vec<Vec<usize>>,
    pub below: Vec<Vec<usize>>,
    /// Where each cell stands in its layer.
    pub place: Vec<usize>,
}

impl Layers {
    /// Adds a cell at the end of its layer.
    pub(crate) fn add(&mut self, cell: LayerCell) -> usize {
        let row = cell.row;
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        let number = self.cells.len();
        self.cells.push(cell);
        self.rows[row].push(number);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        self.place.push(0);
        number
    }

    /// A place where a line may bend, or where its labels stand.
    pub(crate) fn add_bend(&mut self, row: usize, labels: Size, line: i32) -> usize {
        let kind = if labels.width > 0 { CellKind::Label } else { CellKind::Bend };
        let (left, right) = (line / 2, labels.width.max(line - line / 2));
        self.add(LayerCell { row, kind, left, right, height: labels.height, is_first: false })
    }

    /// Joins two cells of neighbouring layers.
    pub(crate) fn join(&mut self, upper: usize, lower: usize) {
        self.below[upper].push(lower);
        self.above[lower].push(upper);
    }

    /// Writes down where the cells stand.
    pub(crate) fn number(&mut self) {
        (0..self.rows.len()).for_each(|row| self.number_row(row));
    }

    /// The same for one layer.
    pub(crate) fn number_row(&mut self, row: usize) {
        for (place, cell) in self.rows[row].iter().enumerate() {
            self.place[*cell] = place;
        }
    }
}
