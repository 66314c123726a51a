//! Palettes: which colour each part of a drawing has.

use crate::draw::colour::Colour;

/// Light or dark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Theme {
    /// Dark ink on a white page.
    #[default]
    Light,
    /// Light ink on a dark page.
    Dark,
}

/// Fill and outline of one kind of shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) struct Paint {
    pub fill: Colour,
    pub line: Colour,
}

/// The colours of a theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) struct Palette {
    pub page: Colour,
    pub(crate) ink: Colour,
    /// Dark and light ink for fills that users chose.
    pub(crate) dark_ink: Colour,
    pub(crate) light_ink: Colour,
    /// Guards, numbers: read after the labels.
    pub(crate) soft_ink: Colour,
    pub lifeline: Colour,
    pub arrow: Colour,
    pub head: Paint,
    pub bar: Paint,
    pub frame: Paint,
    /// Frames of what must not happen.
    pub forbidden: Paint,
    /// Frames of what must happen.
    pub required: Paint,
    pub note: Paint,
    pub state: Paint,
    pub(crate) plate: Paint,
    pub area: Colour,
    /// Messages the caller wants seen.
    pub marked: Colour,
    /// Percent of a user's colour that areas behind text keep at most.
    pub(crate) area_strength: i32,
}

impl Theme {
    /// The colours of this theme.
    pub(crate) fn palette(self) -> Palette {
        match self {
            Theme::Light => LIGHT,
            Theme::Dark => DARK,
        }
    }
}

/// The colours of light drawings with those that take their place in dark ones. Colours that users chose are not among them.
pub(crate) fn dark_colours() -> Vec<(String, String)> {
    let all = |palette: &Palette| {
        let Palette { page, ink, soft_ink, lifeline, arrow, area, marked, .. } = *palette;
        let plain = [page, ink, soft_ink, lifeline, arrow, area, marked, palette.composite()];
        let Palette { head, bar, frame, forbidden, required, note, state, plate, .. } = *palette;
        let paints = [head, bar, frame, forbidden, required, note, state, plate];
        plain
            .into_iter()
            .chain(paints.into_iter().flat_map(|paint| [paint.fill, paint.line]))
            .collect::<Vec<Colour>>()
    };
    let pairs = all(&LIGHT).into_iter().zip(all(&DARK));
    let named: std::collections::BTreeMap<String, String> =
        pairs.map(|(light, dark)| (light.to_string(), dark.to_string())).collect();
    named.into_iter().collect()
}

impl Palette {
    /// The inside of a state that contains others.
    pub(crate) fn composite(&self) -> Colour {
        self.page.mix(self.state.fill, 35)
    }
}

const fn paint(fill: u32, line: u32) -> Paint {
    Paint { fill: Colour::new(fill), line: Colour::new(line) }
}

const LIGHT: Palette = Palette {
    page: Colour::new(0xff_ffff),
    ink: Colour::new(0x1c_2533),
    dark_ink: Colour::new(0x1c_2534),
    light_ink: Colour::new(0xff_fffe),
    soft_ink: Colour::new(0x4a_5668),
    lifeline: Colour::new(0x9a_a7b8),
    arrow: Colour::new(0x2f_3b4d),
    head: paint(0xe9_f0fb, 0x5a_7bb0),
    bar: paint(0xd5_e3f7, 0x5a_7bb0),
    frame: paint(0xee_f1f6, 0x8b_97a8),
    forbidden: paint(0xfd_e7e7, 0xc2_4545),
    required: paint(0xe2_f4e8, 0x3f_8f5c),
    note: paint(0xff_f7d9, 0xd3_b04c),
    state: paint(0xe4_f5ea, 0x4d_9a67),
    plate: paint(0xf6_f8fb, 0x8b_97a8),
    area: Colour::new(0xf1_f4f9),
    marked: Colour::new(0xcf_1f2e),
    area_strength: 100,
};

const DARK: Palette = Palette {
    page: Colour::new(0x16_1a21),
    ink: Colour::new(0xe6_eaf1),
    dark_ink: Colour::new(0x16_1a21),
    light_ink: Colour::new(0xe6_eaf1),
    soft_ink: Colour::new(0xa9_b4c4),
    lifeline: Colour::new(0x5a_6678),
    arrow: Colour::new(0xc3_ccd9),
    head: paint(0x24_3350, 0x7d_9fd8),
    bar: paint(0x30_4670, 0x7d_9fd8),
    frame: paint(0x26_2d39, 0x6d_7a8d),
    forbidden: paint(0x47_2327, 0xe0_7a7a),
    required: paint(0x1d_3a29, 0x6c_c08a),
    note: paint(0x40_3a20, 0xc4_a54e),
    state: paint(0x1e_3a2a, 0x6b_bb87),
    plate: paint(0x20_2631, 0x6d_7a8d),
    area: Colour::new(0x1e_242e),
    marked: Colour::new(0xff_6b74),
    area_strength: 15,
};
