//! The tables of the synthetic census: names and integer weights. Who depends on whom is in `person.rs`.

/// The columns, in order.
pub(super) const HEADER: &str = "person_id,age,sex,region,postcode,education,marital_status,work_class,occupation,\
                      household_size,country_of_birth,income_band,diagnosis_group\n";

pub(super) const SEX: [&str; 2] = ["Male", "Female"];
pub(super) const FEMALE: usize = 1;

/// Name, first two digits of its postcodes (province, region), kind of place, people.
pub(super) const REGION: [(&str, [u8; 2], usize, u32); 12] = [
    ("Capital City", *b"10", CAPITAL, 190),
    ("Capital Suburbs", *b"11", CAPITAL, 125),
    ("Westmere", *b"12", TOWN, 85),
    ("Northport", *b"20", TOWN, 95),
    ("North Coast", *b"21", RURAL, 48),
    ("High Moors", *b"22", RURAL, 34),
    ("Lakeside", *b"30", TOWN, 88),
    ("Eastfield", *b"31", TOWN, 76),
    ("East Valley", *b"32", RURAL, 52),
    ("Southbank", *b"40", TOWN, 102),
    ("Vineyards", *b"41", RURAL, 57),
    ("South Shore", *b"42", RURAL, 48),
];
pub(super) const CAPITAL: usize = 0;
pub(super) const TOWN: usize = 1;
pub(super) const RURAL: usize = 2;
pub(super) const KINDS: usize = 3;

/// People aged 0, 10, 20, … 100 by kind of place: the young move to the capital, the old stay in the country.
pub(super) const PYRAMID: [[u32; 11]; KINDS] = [
    [105, 98, 120, 165, 155, 135, 110, 80, 45, 14, 0],
    [98, 100, 108, 128, 130, 138, 128, 98, 56, 17, 0],
    [90, 98, 88, 104, 118, 146, 146, 118, 70, 21, 0],
];

/// From this age on, so many women in a thousand.
pub(super) const WOMEN: [(u8, u32); 6] = [(0, 487), (20, 497), (50, 505), (65, 525), (75, 570), (85, 660)];

/// The home country, which is invented, and others with their shares of those born elsewhere.
pub(super) const COUNTRY: [(&str, u32); 20] = [
    (HOME, 0),
    ("Germany", 115),
    ("Italy", 60),
    ("Poland", 105),
    ("Portugal", 48),
    ("Romania", 92),
    ("Ukraine", 74),
    ("United Kingdom", 52),
    ("Eritrea", 22),
    ("Morocco", 62),
    ("Nigeria", 30),
    ("Syria", 66),
    ("Turkey", 96),
    ("China", 34),
    ("India", 52),
    ("Philippines", 30),
    ("Vietnam", 24),
    ("Brazil", 28),
    ("Colombia", 16),
    ("United States", 20),
];
pub(super) const HOME: &str = "Alderland";
/// From this age on, so many in a thousand born at home, by kind of place.
pub(super) const BORN_AT_HOME: [(u8, [u32; KINDS]); 4] =
    [(0, [920, 960, 982]), (18, [790, 870, 945]), (30, [730, 845, 935]), (65, [860, 930, 970])];

/// Steps of education completed, in order.
pub(super) const EDUCATION: [&str; 7] =
    ["No schooling", "Primary", "Lower secondary", "Upper secondary", "Vocational", "Bachelor", "Master or doctorate"];
/// From this age on, people by education: each cohort has learned longer than the one before.
pub(super) const EDUCATION_BY_AGE: [(u8, [u32; 7]); 12] = [
    (0, [1, 0, 0, 0, 0, 0, 0]),
    (11, [30, 70, 0, 0, 0, 0, 0]),
    (13, [2, 98, 0, 0, 0, 0, 0]),
    (16, [1, 14, 70, 15, 0, 0, 0]),
    (19, [1, 4, 21, 69, 5, 0, 0]),
    (22, [1, 3, 14, 54, 12, 16, 0]),
    (25, [1, 3, 10, 36, 14, 22, 14]),
    (30, [1, 4, 10, 34, 14, 19, 18]),
    (40, [1, 5, 14, 39, 15, 14, 12]),
    (55, [2, 9, 21, 40, 13, 8, 7]),
    (70, [3, 19, 27, 33, 9, 5, 4]),
    (80, [6, 31, 27, 25, 6, 3, 2]),
];
/// Percent of that, by kind of place.
pub(super) const EDUCATION_BY_KIND: [[u32; 7]; KINDS] =
    [[90, 85, 85, 85, 90, 150, 185], [100; 7], [110, 115, 115, 112, 105, 70, 50]];

/// What a person does, before the sector of those who work is known.
pub(super) const WORKS: usize = 0;
pub(super) const UNEMPLOYED: usize = 1;
pub(super) const RETIRED: usize = 3;
pub(super) const WORK_CLASS: [&str; 9] = [
    "Private sector",
    "Public sector",
    "Self-employed",
    "Family business",
    "Unemployed",
    "Student",
    "Retired",
    "Not active",
    "Child",
];
/// Where the activities begin in [`WORK_CLASS`], less one for those who work.
pub(super) const NOT_WORKING: usize = 3;
pub(super) const CHILD: usize = 8;
pub(super) const ADULT_AGE: u8 = 16;
/// From this age on: works, unemployed, student, retired, not active.
pub(super) const ACTIVITY: [(u8, [u32; 5]); 9] = [
    (0, [0, 0, 1, 0, 0]),
    (ADULT_AGE, [8, 3, 86, 0, 3]),
    (19, [44, 9, 40, 0, 7]),
    (25, [80, 7, 4, 0, 9]),
    (35, [84, 5, 1, 1, 9]),
    (50, [78, 5, 0, 4, 13]),
    (60, [45, 4, 0, 38, 13]),
    (67, [8, 0, 0, 87, 5]),
    (75, [1, 0, 0, 96, 3]),
];
/// Percent of that: up to lower secondary, up to vocational, above; then men and women.
pub(super) const ACTIVITY_BY_SCHOOLING: [[u32; 5]; 3] = [[72, 170, 100, 110, 180], [100; 5], [110, 60, 100, 85, 55]];
pub(super) const ACTIVITY_BY_SEX: [[u32; 5]; 2] = [[105, 105, 95, 100, 50], [95, 95, 105, 100, 160]];

/// Name, women in a hundred, pay on a scale from 0 to 6, and the sectors (private, public, own, family) of each
/// occupation; the first is for those who have none.
pub(super) const OCCUPATION: [(&str, u32, i32, [u32; 4]); 15] = [
    ("No occupation", 50, 0, [1, 0, 0, 0]),
    ("Managers", 38, 6, [68, 16, 16, 0]),
    ("Doctors", 52, 5, [30, 45, 25, 0]),
    ("Engineers and IT specialists", 22, 5, [76, 14, 10, 0]),
    ("Teachers", 70, 3, [17, 80, 3, 0]),
    ("Legal and finance specialists", 48, 5, [62, 18, 20, 0]),
    ("Nurses and carers", 82, 2, [42, 54, 4, 0]),
    ("Technicians", 28, 3, [74, 18, 8, 0]),
    ("Clerks", 66, 2, [64, 33, 2, 1]),
    ("Sales workers", 58, 1, [82, 0, 16, 2]),
    ("Hospitality and personal services", 58, 1, [72, 6, 20, 2]),
    ("Farmers and foresters", 30, 1, [24, 2, 58, 16]),
    ("Construction and crafts", 8, 2, [74, 4, 21, 1]),
    ("Drivers and machine operators", 12, 2, [82, 8, 10, 0]),
    ("Cleaners and labourers", 52, 1, [76, 15, 8, 1]),
];
pub(super) const FARMERS: usize = 11;
/// Percent of farmers by kind of place.
pub(super) const FARMING: [u32; KINDS] = [6, 50, 260];
/// Workers with each education by occupation, without the first.
pub(super) const OCCUPATION_BY_EDUCATION: [[u32; 14]; 7] = [
    [1, 0, 0, 0, 0, 2, 0, 1, 8, 14, 14, 16, 18, 40],
    [2, 0, 0, 0, 0, 4, 1, 3, 12, 16, 12, 18, 20, 30],
    [3, 0, 0, 0, 0, 8, 3, 7, 16, 17, 8, 18, 18, 16],
    [6, 0, 2, 1, 2, 10, 8, 17, 18, 12, 5, 18, 12, 5],
    [8, 0, 6, 5, 5, 20, 20, 12, 9, 6, 4, 12, 3, 1],
    [16, 0, 17, 20, 14, 10, 8, 9, 6, 3, 2, 2, 1, 1],
    [20, 13, 20, 18, 18, 2, 4, 4, 2, 1, 1, 1, 0, 0],
];

pub(super) const MARITAL: [&str; 6] =
    ["Never married", "Married", "Registered partnership", "Separated", "Divorced", "Widowed"];
/// From this age on, men and women by marital status.
pub(super) const MARITAL_BY_AGE: [(u8, [[u32; 6]; 2]); 10] = [
    (0, [[1, 0, 0, 0, 0, 0]; 2]),
    (18, [[985, 11, 4, 0, 0, 0], [965, 26, 8, 1, 0, 0]]),
    (23, [[880, 90, 25, 3, 2, 0], [800, 155, 33, 6, 6, 0]]),
    (28, [[560, 365, 45, 12, 18, 0], [455, 450, 50, 16, 28, 1]]),
    (35, [[320, 545, 45, 22, 66, 2], [240, 595, 45, 28, 86, 6]]),
    (45, [[190, 615, 32, 30, 126, 7], [140, 600, 32, 34, 170, 24]]),
    (55, [[120, 665, 20, 24, 150, 21], [85, 600, 18, 25, 190, 82]]),
    (65, [[75, 725, 10, 14, 116, 60], [55, 560, 9, 14, 142, 220]]),
    (75, [[50, 715, 4, 8, 63, 160], [50, 385, 3, 7, 85, 470]]),
    (85, [[40, 560, 1, 4, 35, 360], [60, 165, 1, 3, 46, 725]]),
];

/// From this age on, people alone and in a couple by the size of their household, 1 to 8.
pub(super) const HOUSEHOLD: [(u8, [[u32; 8]; 2]); 5] = [
    (0, [[0, 60, 210, 380, 210, 90, 30, 20]; 2]),
    (18, [[210, 200, 210, 230, 100, 35, 10, 5], [15, 430, 280, 200, 55, 15, 3, 2]]),
    (30, [[560, 240, 120, 55, 17, 5, 2, 1], [8, 220, 250, 340, 126, 38, 11, 7]]),
    (55, [[640, 240, 80, 28, 8, 2, 1, 1], [10, 640, 220, 95, 25, 6, 2, 2]]),
    (65, [[800, 145, 40, 11, 3, 1, 0, 0], [12, 870, 80, 26, 8, 2, 1, 1]]),
];

/// Yearly income in order.
pub(super) const INCOME: [&str; 5] = ["under 10k", "10k-25k", "25k-45k", "45k-80k", "over 80k"];
/// The scores of a person's income run from 0 to this; see [`Census::income_score`].
pub(super) const TOP_SCORE: i32 = 10;

pub(super) const DIAGNOSIS: [&str; 8] = [
    "No diagnosis",
    "Cardiovascular",
    "Respiratory",
    "Metabolic",
    "Musculoskeletal",
    "Mental health",
    "Cancer",
    "Injury",
];
/// From this age on, people by diagnosis; percent of that for men and women.
pub(super) const DIAGNOSIS_BY_AGE: [(u8, [u32; 8]); 6] = [
    (0, [820, 3, 95, 6, 8, 18, 2, 48]),
    (15, [760, 8, 50, 14, 35, 78, 4, 51]),
    (30, [690, 28, 42, 36, 80, 80, 10, 34]),
    (45, [530, 100, 48, 92, 125, 64, 24, 17]),
    (60, [370, 215, 62, 140, 125, 38, 42, 18]),
    (75, [235, 330, 75, 150, 110, 36, 50, 34]),
];
pub(super) const DIAGNOSIS_BY_SEX: [[u32; 8]; 2] =
    [[100, 115, 100, 105, 88, 76, 102, 130], [100, 85, 100, 95, 112, 124, 98, 70]];

/// District, area and street digits of a postcode within its region, with weights.
pub(super) const DISTRICTS: [(u8, u32); 6] = [(b'0', 30), (b'1', 22), (b'2', 18), (b'4', 14), (b'5', 10), (b'7', 6)];
pub(super) const AREAS: [(u8, u32); 3] = [(b'1', 45), (b'4', 33), (b'7', 22)];
pub(super) const STREETS: [(u8, u32); 4] = [(b'0', 34), (b'3', 28), (b'5', 22), (b'9', 16)];
