//! What P4 prints in tables 5.4.1 to 5.4.3, 5.4.5, 5.5.1 to 5.5.3 and 5.5.5: an Intel Core i5-540M with 2.53 GHz and 8 GB, SAT4J.
//!
//! Lengths count transactions that are not empty, of whichever path the solver found. An empty text stands where nothing is printed; the two rows
//! of encoding times of table 5.5.5 are left out.

use super::{SummaryRow, ThesisTable};
use crate::generate::crafted::Crafted;

/// A row and its cells.
type PublishedLine = (SummaryRow, &'static [&'static str]);

/// What is printed in a row of a column; `None` where nothing is.
pub(super) fn cell(table: ThesisTable, row: SummaryRow, column: usize) -> Option<&'static str> {
    let lines = match table {
        ThesisTable::Goals(Crafted::Coffee) => TABLE_5_4_1,
        ThesisTable::Goals(Crafted::Mail) => TABLE_5_4_2,
        ThesisTable::Goals(Crafted::Philosophers) => TABLE_5_4_3,
        ThesisTable::RandomGoals => TABLE_5_4_5,
        ThesisTable::Scenarios(Crafted::Coffee) => TABLE_5_5_1,
        ThesisTable::Scenarios(Crafted::Mail) => TABLE_5_5_2,
        ThesisTable::Scenarios(Crafted::Philosophers) => TABLE_5_5_3,
        ThesisTable::RandomScenarios => TABLE_5_5_5,
    };
    let (_, cells) = lines.iter().find(|(known, _)| *known == row)?;
    cells.get(column).copied().filter(|cell| !cell.is_empty())
}

const TABLE_5_4_1: &[PublishedLine] = &[
    (SummaryRow::Yes, &["5", "8", "8", "8", "6", "11", "11", "11", "2", "3", "3", "3"]),
    (SummaryRow::No, &["3", "0", "0", "0", "15", "10", "10", "10", "16", "15", "15", "15"]),
    (
        SummaryRow::Clauses,
        &[
            "660", "4140", "28790", "144790", "649", "4129", "28779", "144779", "637", "4117", "28767",
            "144767",
        ],
    ),
    (
        SummaryRow::Variables,
        &["200", "848", "5438", "27038", "200", "848", "5438", "27038", "200", "848", "5438", "27038"],
    ),
    (SummaryRow::Length, &["0.4", "4", "17", "23", "0.5", "4", "12", "19", "0.5", "3", "18", "26"]),
    (SummaryRow::Encoding, &["2", "11", "242", "507", "2", "11", "83", "453", "2", "11", "84", "449"]),
    (SummaryRow::SolvingYes, &["<1", "4", "304", "2780", "<1", "4", "245", "4844", "<1", "2", "121", "5440"]),
    (
        SummaryRow::SolvingNo,
        &["<1", "n/a", "n/a", "n/a", "<1", "11", "5224", "106548", "<1", "9", "2510", "45483"],
    ),
];

const TABLE_5_4_2: &[PublishedLine] = &[
    (SummaryRow::Yes, &["3", "11", "11", "11", "3", "13", "13", "13", "1", "3", "3", "3"]),
    (SummaryRow::No, &["12", "4", "4", "3", "56", "46", "46", "44", "44", "42", "42", "41"]),
    (SummaryRow::Timeout, &["0", "0", "0", "1", "0", "0", "0", "2", "0", "0", "0", "1"]),
    (
        SummaryRow::Clauses,
        &[
            "926", "7382", "53112", "268312", "881", "7337", "53067", "268267", "854", "7310", "53040",
            "268240",
        ],
    ),
    (
        SummaryRow::Variables,
        &["275", "1163", "7453", "37053", "275", "1163", "7453", "37053", "275", "1163", "7453", "37053"],
    ),
    (SummaryRow::Length, &["0.7", "5", "8", "12", "0.3", "6", "10", "19", "0", "7", "16", "22"]),
    (SummaryRow::Encoding, &["4", "17", "176", "654", "3", "17", "125", "639", "3", "16", "122", "640"]),
    (
        SummaryRow::SolvingYes,
        &["<1", "6", "183", "2493", "<1", "9", "164", "5390", "<1", "11", "660", "8214"],
    ),
    (
        SummaryRow::SolvingNo,
        &["<1", "15", "1583", "31707", "<1", "15", "1356", "38844", "<1", "13", "1265", "35445"],
    ),
];

const TABLE_5_4_3: &[PublishedLine] = &[
    (SummaryRow::Yes, &["12", "15", "15", "7", "36", "58", "58", "13", "1", "5", "5", "1"]),
    (SummaryRow::No, &["3", "0", "0", "0", "64", "42", "42", "2", "98", "95", "95", "79"]),
    (SummaryRow::Timeout, &["0", "0", "0", "8", "0", "0", "0", "85", "0", "0", "0", "20"]),
    (
        SummaryRow::Clauses,
        &[
            "621", "3861", "26811", "134811", "611", "3851", "26801", "134801", "605", "3845", "26795",
            "134795",
        ],
    ),
    (
        SummaryRow::Variables,
        &["257", "1085", "6950", "34550", "257", "1085", "6950", "34550", "257", "1085", "6950", "34550"],
    ),
    (SummaryRow::Length, &["0.8", "4", "27", "106", "0.8", "4", "29", "121", "1", "5", "29", "163"]),
    (SummaryRow::Encoding, &["1", "12", "86", "452", "2", "12", "86", "447", "2", "11", "81", "436"]),
    (
        SummaryRow::SolvingYes,
        &["<1", "6", "503", "116543", "<1", "6", "1396", "170540", "<1", "6", "1235", "177892"],
    ),
    (
        SummaryRow::SolvingNo,
        &["<1", "n/a", "n/a", "n/a", "<1", "42", "26646", "30472", "<1", "8", "4541", "2434"],
    ),
];

const TABLE_5_4_5: &[PublishedLine] = &[
    (SummaryRow::Yes, &["688", "380", "207", "151", "571", "251", "89", "15", "826", "562", "18", "1"]),
    (SummaryRow::No, &["312", "620", "793", "849", "429", "749", "911", "985", "174", "284", "410", "481"]),
    (SummaryRow::Timeout, &["0", "0", "0", "0", "0", "0", "0", "0", "0", "154", "572", "518"]),
    (
        SummaryRow::Clauses,
        &[
            "1057", "1070", "1055", "1043", "49408", "48997", "49137", "49212", "1840776", "1838285",
            "1842420", "1844834",
        ],
    ),
    (
        SummaryRow::Variables,
        &["270", "271", "270", "269", "3601", "3594", "3602", "3605", "41601", "41573", "41615", "41637"],
    ),
    (SummaryRow::Length, &["0.6", "0.7", "0.8", "0.9", "3", "3", "3", "3", "10", "10", "10", "10"]),
    (SummaryRow::Encoding, &["1", "2", "1", "2", "80", "82", "82", "82", "3043", "3062", "3070", "3093"]),
    (
        SummaryRow::SolvingYes,
        &["<1", "<1", "<1", "<1", "29", "49", "81", "106", "32252", "167243", "247311", "113609"],
    ),
    (SummaryRow::SolvingNo, &["<1", "<1", "<1", "<1", "9", "15", "15", "13", "556", "1066", "2456", "2717"]),
];

const TABLE_5_5_1: &[PublishedLine] = &[
    (SummaryRow::Clauses, &["7895", "11375", "36025", "152025", "11309", "17273", "59518", "258318"]),
    (SummaryRow::Variables, &["1508", "2156", "6746", "28346", "1783", "2683", "9058", "39058"]),
    (SummaryRow::Length, &["0", "0", "14", "12", "", "", "", ""]),
    (SummaryRow::Removed, &["", "", "", "", "2", "2", "2", "2"]),
    (SummaryRow::Encoding, &["212", "257", "510", "1218", "773", "808", "1932", "3564"]),
    (SummaryRow::SolvingYes, &["39", "135", "507", "673", "", "", "", ""]),
    (SummaryRow::SolvingNo, &["", "", "", "", "37", "62", "78", "156"]),
    (SummaryRow::Finding, &["", "", "", "", "115", "285", "3297", "56981"]),
];

const TABLE_5_5_2: &[PublishedLine] = &[
    (SummaryRow::Clauses, &["20459", "26783", "71578", "282378", "18289", "24613", "69408", "280208"]),
    (SummaryRow::Variables, &["2960", "3848", "10138", "39738", "2659", "3547", "9837", "39437"]),
    (SummaryRow::Length, &["n/a", "5", "14", "14", "", "", "", ""]),
    (SummaryRow::Removed, &["9", "n/a", "n/a", "n/a", "8", "3", "3", "3"]),
    (SummaryRow::Encoding, &["664", "366", "604", "1548", "574", "564", "1058", "4255"]),
    (SummaryRow::SolvingYes, &["", "125", "355", "1132", "", "", "", ""]),
    (SummaryRow::SolvingNo, &["24", "", "", "", "19", "18", "21", "76"]),
    (SummaryRow::Finding, &["103", "n/a", "n/a", "n/a", "82", "314", "547", "2857"]),
];

const TABLE_5_5_3: &[PublishedLine] = &[
    (SummaryRow::Clauses, &["4017", "7257", "30207", "138207", "7407", "10647", "33597", "141597"]),
    (SummaryRow::Variables, &["1088", "1916", "7781", "35381", "1919", "2747", "8612", "36212"]),
    (SummaryRow::Length, &["0", "3", "25", "170", "", "", "", ""]),
    (SummaryRow::Removed, &["", "", "", "", "3", "3", "3", "3"]),
    (SummaryRow::Encoding, &["164", "210", "530", "2128", "470", "536", "1373", "3695"]),
    (SummaryRow::SolvingYes, &["32", "76", "894", "694491", "", "", "", ""]),
    (SummaryRow::SolvingNo, &["", "", "", "", "13", "13", "25", "114"]),
    (SummaryRow::Finding, &["", "", "", "", "121", "131", "1389", "781779"]),
];

const TABLE_5_5_5: &[PublishedLine] = &[
    (SummaryRow::Yes, &["399", "437", "101"]),
    (SummaryRow::No, &["601", "563", "540"]),
    (SummaryRow::Timeout, &["0", "0", "359"]),
    (SummaryRow::Clauses, &["3940", "78800", "2661457"]),
    (SummaryRow::Variables, &["695", "6161", "80734"]),
    (SummaryRow::Removed, &["1.5", "2.4", "5"]),
    (SummaryRow::Length, &["0.7", "2.4", "7.7"]),
    (SummaryRow::SolvingYes, &["3", "210", "149072"]),
    (SummaryRow::SolvingNo, &["<1", "45", "3302"]),
    (SummaryRow::Finding, &["2", "126", "103985"]),
];
