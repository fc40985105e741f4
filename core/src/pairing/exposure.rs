//! Evaluated samples that a run was trained on, as far as its own training files show.

use crate::model::{
    DataFile, DataRole, IdKey, IdStrength, RowKey, RowKeys, Run, SampleTable, TextKey,
};

/// Evaluated samples and how many of them stand in training files of the same run.
#[derive(Debug)]
pub struct Exposure<'a> {
    pub evaluated: Evaluated<'a>,
    pub n: u64,
    /// Those whose question stands in a training file.
    pub by_content: u64,
    /// Those whose id, which hardly names two things, does, where no question can be compared.
    pub by_id: u64,
    /// Those whose id does, where the id is of a kind that other tables have too, and no question
    /// can be compared. They prove nothing.
    pub by_number: u64,
    /// Hashes of the samples that count, in order.
    pub exposed: Vec<u64>,
    /// The first of them.
    pub examples: Vec<Example>,
}

impl Exposure<'_> {
    /// Samples that stand in a training file as far as can be shown.
    pub fn count(&self) -> u64 {
        self.by_content + self.by_id
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Evaluated<'a> {
    /// Samples that the run has scores for.
    Samples(&'a SampleTable),
    /// A file that it names for evaluation.
    File(&'a DataFile),
}

/// One sample found in a training file: id, file and line of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Id of the sample; empty where it has none.
    pub id: String,
    pub evaluated: (String, u64),
    pub training: (String, u64),
}

/// How many samples are kept as examples.
const EXAMPLES: usize = 3;

/// What the run evaluated, each with what of it stands in its training files. Files for evaluation
/// are looked at only where the run has no samples.
pub(super) fn exposures(run: &Run) -> Vec<Exposure<'_>> {
    let training = TrainingRecords::new(run);
    if training.is_empty() {
        return Vec::new();
    }
    if run.content.samples.is_empty() {
        let files = run.data_files.iter().filter(|file| file.role == DataRole::Eval);
        return files.filter_map(|file| file_exposure(file, &training)).collect();
    }
    let asked = QuestionKeys::new(&run.asked);
    run.content.samples.iter().map(|table| sample_exposure(table, &asked, &training)).collect()
}

/// A sample to be looked for.
struct Sought {
    key: RowKey,
    /// Tells it from others of its table.
    hash: u64,
}

fn file_exposure<'a>(file: &'a DataFile, training: &TrainingRecords<'_>) -> Option<Exposure<'a>> {
    let keys = &file.content.as_ref()?.keys;
    let sought: Vec<Sought> =
        keys.rows.iter().map(|key| Sought { key: *key, hash: key.row }).collect();
    let place = |at: usize| {
        let (path, line) = keys.place(at as u32);
        (String::new(), (path.to_owned(), line))
    };
    (!sought.is_empty()).then(|| look_for(Evaluated::File(file), &sought, training, place))
}

fn sample_exposure<'a>(
    table: &'a SampleTable,
    asked: &QuestionKeys<'_>,
    training: &TrainingRecords<'_>,
) -> Exposure<'a> {
    let sought: Vec<Sought> = (0..table.len())
        .map(|row| {
            let source = table.source(row, "");
            let mut key = asked.get(&source.path, source.line.unwrap_or(0)).unwrap_or_default();
            key.id = IdKey::new(table.id(row));
            Sought { key, hash: table.id_hashes().get(row).copied().unwrap_or(0) }
        })
        .collect();
    let place = |row: usize| {
        let source = table.source(row, "");
        (table.id(row).to_owned(), (source.path.to_string(), source.line.unwrap_or(0)))
    };
    look_for(Evaluated::Samples(table), &sought, training, place)
}

fn look_for<'a>(
    evaluated: Evaluated<'a>,
    sought: &[Sought],
    training: &TrainingRecords<'_>,
    place: impl Fn(usize) -> (String, (String, u64)),
) -> Exposure<'a> {
    let ambiguous = ambiguous(sought);
    let n = sought.len() as u64;
    let mut found = Exposure {
        evaluated,
        n,
        by_content: 0,
        by_id: 0,
        by_number: 0,
        exposed: Vec::new(),
        examples: Vec::new(),
    };
    for (row, one) in sought.iter().enumerate() {
        let is_unique = ambiguous.binary_search(&one.key.text).is_err();
        let Some((evidence, (file, position))) = training.find(&one.key, is_unique) else {
            continue;
        };
        match evidence {
            Evidence::Content => found.by_content += 1,
            Evidence::Id => found.by_id += 1,
            Evidence::Number => {
                found.by_number += 1;
                continue;
            }
        }
        found.exposed.push(one.hash);
        if found.examples.len() < EXAMPLES {
            let (id, evaluated) = place(row);
            let training = training.place(file, position);
            found.examples.push(Example { id, evaluated, training });
        }
    }
    found.exposed.sort_unstable();
    found.exposed.dedup();
    found
}

/// Questions that several samples ask: equal words about something that is not recorded.
fn ambiguous(sought: &[Sought]) -> Vec<TextKey> {
    let known = sought.iter().filter(|one| one.key.text.is_known());
    let mut asked: Vec<(TextKey, u64)> = known.map(|one| (one.key.text, one.hash)).collect();
    asked.sort_unstable();
    asked.dedup();
    let several = asked.chunk_by(|(a, _), (b, _)| a == b).filter(|same| same.len() > 1);
    several.filter_map(|same| Some(same.first()?.0)).collect()
}

/// What shows that a sample stands in a training file.
enum Evidence {
    Content,
    Id,
    Number,
}

/// A training file and a position in it.
type Hit = (u32, u32);

/// The records of all training files of a run, by question and by id.
struct TrainingRecords<'a> {
    files: Vec<&'a RowKeys>,
    texts: Vec<(TextKey, Hit)>,
    ids: Vec<(IdKey, Hit)>,
}

impl<'a> TrainingRecords<'a> {
    fn new(run: &'a Run) -> Self {
        let of_training = run.data_files.iter().filter(|file| file.role == DataRole::Train);
        let files: Vec<&RowKeys> = of_training
            .filter_map(|file| file.content.as_ref())
            .map(|content| &content.keys)
            .collect();
        let (mut texts, mut ids) = (Vec::new(), Vec::new());
        for (file, keys) in (0..).zip(&files) {
            for (position, row) in (0..).zip(&keys.rows) {
                if row.text.is_known() {
                    texts.push((row.text, (file, position)));
                }
                if row.id.is_known() {
                    ids.push((row.id, (file, position)));
                }
            }
        }
        texts.sort_unstable();
        ids.sort_unstable();
        Self { files, texts, ids }
    }

    fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.ids.is_empty()
    }

    fn place(&self, file: u32, position: u32) -> (String, u64) {
        let (path, line) =
            self.files.get(file as usize).map_or(("", 0), |keys| keys.place(position));
        (path.to_owned(), line)
    }

    /// A long question that no other sample asks is evidence alone, a short one together with the
    /// id; an equal id over another question is evidence of nothing.
    fn find(&self, sample: &RowKey, is_unique: bool) -> Option<(Evidence, Hit)> {
        let text = sample.text;
        if text.is_telling() && is_unique {
            let start = self.texts.partition_point(|(known, _)| *known < text);
            if let Some((_, hit)) = self.texts.get(start).filter(|(known, _)| *known == text) {
                return Some((Evidence::Content, *hit));
            }
        }
        if !sample.id.is_known() {
            return None;
        }
        let start = self.ids.partition_point(|(known, _)| *known < sample.id);
        let same = self.ids.get(start..)?.iter().take_while(|(known, _)| *known == sample.id);
        let mut by_id = None;
        for (_, hit) in same {
            let theirs = self.text(*hit);
            if !text.is_known() || !theirs.is_known() {
                by_id = by_id.or(Some(*hit));
            } else if theirs == text {
                return Some((Evidence::Content, *hit));
            }
        }
        let hit = by_id?;
        match sample.id.strength() {
            IdStrength::Telling => Some((Evidence::Id, hit)),
            IdStrength::Numbered => Some((Evidence::Number, hit)),
            IdStrength::Counter => None,
        }
    }

    fn text(&self, (file, position): Hit) -> TextKey {
        let keys = self.files.get(file as usize);
        let row = keys.and_then(|keys| keys.rows.get(position as usize));
        row.map(|row| row.text).unwrap_or_default()
    }
}

/// Keys of samples by file and line.
struct QuestionKeys<'a> {
    parts: Vec<(&'a str, &'a [RowKey])>,
}

impl<'a> QuestionKeys<'a> {
    fn new(keys: &'a RowKeys) -> Self {
        let starts = keys.parts.iter().map(|(start, _)| *start as usize);
        let ends = starts.clone().skip(1).chain([keys.rows.len()]);
        let parts = keys.parts.iter().zip(starts.zip(ends)).map(|((_, path), (start, end))| {
            (path.as_ref(), keys.rows.get(start..end).unwrap_or_default())
        });
        Self { parts: parts.collect() }
    }

    fn get(&self, path: &str, line: u64) -> Option<RowKey> {
        let (_, rows) = self.parts.iter().find(|(known, _)| *known == path)?;
        let at = rows.binary_search_by(|row| u64::from(row.line).cmp(&line)).ok()?;
        rows.get(at).copied()
    }
}
