//! The table of codes: one row each, with severity and effect on comparability.
//!
//! `R1xx` reading, `R2xx` comparability, `R3xx` checkpoints to hand over, `R40x` and `R41x` logs,
//! `R42x` and `R43x` the progress of one run, `R44x` phases, `R46x` and `R47x` metrics of outcomes,
//! `R48x` the best checkpoint.

use serde::Serialize;

use super::{Effect, Severity};

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $id:literal, $severity:ident, $effect:ident;)*) => {
        /// The kinds of finding.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])* $name,)*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The stable identifier, for example `R201`.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }

            /// How loud the finding is unless its raiser knows better.
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }

            /// Whether it says that a run is incomplete, so that nothing which it is part of can pass.
            pub const fn means_incomplete(self) -> bool {
                matches!(
                    self,
                    Self::NoOverlap
                        | Self::Incomplete
                        | Self::ScoresMissing
                        | Self::StoppedEarly
                        | Self::EndedBadly
                        | Self::SizesFarApart
                        | Self::DiedMidway
                )
            }

            /// What the finding does to the comparison.
            pub const fn effect(self) -> Effect {
                match self { $(Self::$name => Effect::$effect,)* }
            }
        }
    };
}

codes! {
    /// A file or directory cannot be opened or read.
    Unreadable = "R101", Error, None;
    /// A record or document does not parse; it is left out and counted.
    BadRecord = "R102", Warning, None;
    /// The last record stops in the middle: the producer died or is still writing.
    TornTail = "R103", Warning, None;
    /// The same sample id occurs more than once with equal scores.
    DuplicateIds = "R104", Warning, None;
    /// The same sample id occurs more than once with different scores; those samples are set aside.
    ConflictingIds = "R105", Error, None;
    /// A score or metric is NaN or infinite; kept as "no score", never as a number.
    NotFinite = "R106", Warning, None;
    /// Bytes that are not UTF-8 were replaced.
    InvalidUtf8 = "R107", Warning, None;
    /// A line is longer than the limit and was left out.
    LineTooLong = "R108", Warning, None;
    /// Nothing readable was found in a run.
    NothingReadable = "R109", Error, None;
    /// Records that carry no score that could be used.
    NoScores = "R110", Warning, None;
    /// A run directory holds several evaluations of the same thing; the newest is used.
    Superseded = "R111", Info, None;
    /// A configuration or metric file holds the same key twice.
    DuplicateKey = "R112", Warning, None;
    /// A file was recognised but holds nothing usable.
    EmptyFile = "R113", Warning, None;
    /// A key of reportgen.toml is not known.
    UnknownSetting = "R114", Warning, None;
    /// The same directory or file was given as two runs.
    SameRunTwice = "R115", Warning, None;
    /// A run holds more files than are looked at.
    TooManyFiles = "R116", Warning, None;
    /// A file is larger than what is read as one document.
    TooLarge = "R117", Warning, None;
    /// Two files of a run give different figures for the same thing; the first is used.
    ConflictingFigures = "R118", Warning, None;
    /// A series holds the same step or epoch more than once; the last one written counts.
    RepeatedPositions = "R119", Info, None;
    /// Every id has the same number of records: K answers to one problem, averaged.
    RepeatedSamples = "R120", Info, None;
    /// Shares of a file are taken for percentages, because one of them exceeds 1.
    UnitInferred = "R121", Warning, None;
    /// A file that looks like data is read by no reader.
    Unrecognised = "R122", Warning, None;
    /// Configuration files of one run contradict each other.
    SeveralConfigs = "R123", Warning, None;
    /// `[[metric]]` declares a metric that no run has.
    MetricUnused = "R124", Info, None;
    /// A stated percentage of right answers that no whole count over its n gives.
    ImpossibleShare = "R130", Warning, None;
    /// A stated percentage of what may be partly right that no whole count over its n gives.
    FractionalShare = "R131", Info, None;
    /// Problems have different numbers of answers; what there is was averaged.
    UnevenAnswers = "R150", Warning, None;
    /// Some answers to a problem have no score; the problem has no mean.
    PartlyScored = "R151", Warning, None;
    /// A score lies outside the range of its metric and was taken away.
    OutOfRange = "R152", Warning, None;
    /// A record has different scores under two names of one metric.
    RivalNames = "R153", Warning, None;
    /// Samples without a dataset were named after their file, as another run names them.
    DatasetFromOther = "R154", Info, None;
    /// How much of a mean's variance comes from sampling answers.
    AnswerNoise = "R155", Info, None;
    /// Problems with fewer answers than pass@k looks at are left out of it.
    TooFewAnswers = "R156", Warning, None;
    /// A record makes two claims that exclude each other.
    ContradictoryRecord = "R157", Warning, None;
    /// A stated figure lies outside the range of its metric.
    AggregateOutOfRange = "R158", Warning, None;
    /// Two files of results are equal byte for byte.
    CopiedFile = "R159", Warning, None;
    /// A stated number of samples is larger than any evaluation.
    ImpossibleSize = "R160", Warning, None;
    /// A configuration key differs that was not declared as a factor and can move a metric.
    ConfigDiffers = "R201", Warning, Confounds;
    /// A configuration key is recorded on one side only.
    ConfigOneSided = "R202", Info, None;
    /// A declared factor does not differ between the arms.
    FactorEqual = "R203", Warning, None;
    /// A factor named on the command line is in no configuration.
    FactorUnknown = "R204", Warning, None;
    /// The only differing configuration key was taken for the factor.
    FactorInferred = "R205", Info, None;
    /// The arms name different data files.
    DataFileNamed = "R206", Warning, Confounds;
    /// The arms name data files of the same name whose content differs.
    DataFileContent = "R207", Error, Confounds;
    /// The data of the arms differs in quality.
    DataQuality = "R208", Warning, Confounds;
    /// A data file named by a configuration is not there.
    DataFileGone = "R209", Info, None;
    /// The arms have no sample in common.
    NoOverlap = "R210", Error, Blocks;
    /// The arms share only part of their samples.
    PartialOverlap = "R211", Warning, None;
    /// Too many samples of one arm are missing in the other for a verdict.
    Incomplete = "R212", Error, Blocks;
    /// Equal sample ids stand over different content.
    ContentDiffers = "R213", Error, Blocks;
    /// Samples agree in document but not in prompt.
    PromptDiffers = "R214", Warning, Confounds;
    /// Ids differ but content is equal; samples were paired by content.
    PairedByContent = "R215", Info, None;
    /// Results of some cells are missing in one arm.
    MissingCells = "R216", Warning, None;
    /// Cells of one arm are identical across a dimension where they should move.
    IdenticalAcross = "R217", Warning, None;
    /// Both arms have exactly the same results.
    IdenticalArms = "R218", Warning, None;
    /// The arms have no metric in common.
    NoSharedMetric = "R219", Error, Blocks;
    /// The task, dataset or harness version differs.
    VersionDiffers = "R220", Warning, Confounds;
    /// Aggregate and per-sample results of one run disagree.
    AggregateDisagrees = "R221", Warning, None;
    /// Failed or unscored samples bound the result.
    Unscored = "R222", Warning, None;
    /// One arm has figures over its checkpoints that the other has at one checkpoint only.
    LoneCurve = "R223", Info, None;
    /// A run records no configuration, so differences in it cannot be seen.
    NoConfig = "R224", Info, None;
    /// A margin is declared for a metric that no run has.
    MarginUnused = "R225", Warning, None;
    /// Too many samples have no score in one arm for a verdict on the metric.
    ScoresMissing = "R226", Error, Blocks;
    /// One arm writes percentages where the other writes shares, and neither says so.
    UnitsDiffer = "R227", Error, Blocks;
    /// Aggregates of one dataset stand on different numbers of samples.
    SizesDiffer = "R228", Warning, Confounds;
    /// The arms gave different numbers of answers to each sample.
    RepeatsDiffer = "R229", Warning, None;
    /// A field from which rates follow is recorded in one arm only.
    FieldOneSided = "R230", Info, None;
    /// The code that ran differs.
    CodeDiffers = "R231", Warning, Confounds;
    /// Machines, or how work was laid out on them, differ; no metric of speed is compared.
    HardwareDiffers = "R232", Info, None;
    /// The version of a library, or the backend, differs.
    LibraryDiffers = "R233", Warning, Confounds;
    /// The judge or the scorer differs.
    JudgeDiffers = "R234", Error, Confounds;
    /// Machines differ and a metric of speed is compared.
    SpeedUnlike = "R235", Warning, Confounds;
    /// A run was made from code that no commit holds.
    DirtyTree = "R236", Info, None;
    /// The only difference is of a kind that is hardly ever the factor, and was not taken for it.
    FactorDeclined = "R237", Info, None;
    /// Keys that are spelt differently were compared as one setting.
    KeysRespelled = "R238", Info, None;
    /// A metric of a judge was measured with different judges.
    JudgedMetric = "R239", Error, Blocks;
    /// A margin on a rate is so small that it looks like a share written for points.
    MarginShare = "R240", Warning, None;
    /// No difference could exceed a margin, so it is not used.
    MarginBeyondRange = "R241", Warning, None;
    /// A margin is in points, but its metric is no rate.
    MarginUnit = "R242", Warning, None;
    /// A margin is declared for a metric without a good side.
    MarginUndirected = "R243", Warning, None;
    /// Every answer is the same text although another model is said to have given it.
    ResponsesIdentical = "R244", Warning, None;
    /// Every sample has the same score although another model is said to have answered.
    ScoresIdentical = "R245", Warning, None;
    /// Both arms record the same weights under different names.
    SameCheckpoint = "R246", Warning, Confounds;
    /// A stated standard error does not fit the samples.
    StderrDisagrees = "R247", Warning, None;
    /// Neither arm has a result, only training curves.
    OnlyCurves = "R248", Info, None;
    /// The arms have metrics in common, but on different datasets.
    NoSharedDataset = "R249", Error, Blocks;
    /// Runs of one arm differ in more than seed and environment.
    ArmRunsDiffer = "R250", Warning, Confounds;
    /// Two runs of one arm have exactly the same results.
    ArmRunsIdentical = "R251", Error, Blocks;
    /// Several runs of one arm record the same seed.
    SeedRepeated = "R252", Warning, None;
    /// One arm has a single run and the other several.
    OneSeed = "R253", Info, None;
    /// A run that is to tell the noise differs from the baseline in more than seed and environment.
    NoiseRunDiffers = "R254", Warning, None;
    /// A run that is to tell the noise cannot do so for some results.
    NoiseRunUnused = "R255", Warning, None;
    /// A run of the baseline is named to tell its own noise.
    NoiseIsBaseline = "R256", Warning, None;
    /// Runs that are to tell the noise are not needed, because arms have several runs.
    NoiseRedundant = "R257", Info, None;
    /// The arms differ in the seed only.
    SeedsOnly = "R258", Info, None;
    /// Of two fields that could say the cluster, the coarser one is taken.
    ClustersNested = "R260", Info, None;
    /// Two fields that could say the cluster cross each other; one of them is taken.
    ClustersCrossed = "R261", Warning, None;
    /// Some samples name no cluster.
    PartlyClustered = "R262", Warning, None;
    /// The user turned clusters off.
    ClusteringOff = "R263", Info, None;
    /// The field that the user chose for clusters is in no record of a dataset.
    ClusterFieldLacking = "R264", Error, Blocks;
    /// The field that the user chose for clusters is another one for every sample.
    ClusterFieldSingle = "R265", Info, None;
    /// Every answer is the same text, and yet scores differ.
    Rescored = "R266", Error, Blocks;
    /// The arms declare opposite good sides of a metric.
    DirectionsContradict = "R267", Error, Blocks;
    /// Answers that are the same text are scored one way in one arm and another in the other.
    RescoredPartly = "R268", Warning, Confounds;
    /// Several runs of one arm record the same seed of the same model.
    SeedNoRepetition = "R269", Error, Blocks;
    /// One arm was trained on samples that it is evaluated on, or on more of them than the other.
    EvalInTraining = "R270", Warning, Confounds;
    /// Evaluated samples stand in the training data of both arms alike, or very few of them do.
    EvalInBothTrainings = "R271", Warning, None;
    /// The data files of the arms hold the same records in another order or format.
    SameRecords = "R272", Info, None;
    /// How the records of two data files differ.
    RecordsDiffer = "R273", Info, None;
    /// The arms name evaluation files of different content.
    EvalFileDiffers = "R274", Error, Confounds;
    /// The data files of the arms have different columns.
    DataSchema = "R275", Warning, None;
    /// A label is distributed differently in the data of the arms.
    LabelShift = "R276", Warning, Confounds;
    /// A data file holds records more than once.
    DataDuplicates = "R277", Info, None;
    /// Only the first part of a data file was read record by record.
    DataPartlyRead = "R278", Info, None;
    /// Ids of evaluated samples stand in training data, but are of a kind that proves nothing.
    CommonIdsShared = "R279", Info, None;
    /// An arm has too few of the samples that it set out to score.
    StoppedEarly = "R280", Error, Blocks;
    /// An arm lacks a few of the samples that it set out to score.
    SomeUnseen = "R281", Warning, None;
    /// A few equal ids stand over different content; those samples are set aside.
    ContentSetAside = "R282", Warning, None;
    /// Equal ids stand for other samples in the other arm; samples were paired by content.
    Renumbered = "R283", Warning, None;
    /// A file of the run says that it did not end as it should.
    EndedBadly = "R284", Error, Blocks;
    /// A training did not make the steps that it set out to make.
    TrainingStopped = "R285", Warning, Confounds;
    /// The training of one arm is shorter than that of the other.
    TrainingShorter = "R286", Warning, Confounds;
    /// Aggregates of one dataset stand on numbers of samples that are far apart.
    SizesFarApart = "R287", Error, Blocks;
    /// A file of samples ends in the middle of a record, and more than that record is missing.
    DiedMidway = "R288", Error, Blocks;
    /// An acceptance covers no finding, because none has its code.
    AcceptanceUnused = "R290", Warning, None;
    /// An acceptance covers no finding, because those of its code are about other subjects.
    AcceptanceElsewhere = "R291", Warning, None;
    /// A file without which no library loads the model is not there.
    ModelFileMissing = "R301", Error, None;
    /// A file of the model cannot be read for what it should be.
    ModelFileBroken = "R302", Error, None;
    /// A file that most users of the model expect is not there.
    ModelFileLacking = "R303", Warning, None;
    /// A file holds only the pointer of Git LFS to its content.
    PointerFile = "R304", Error, None;
    /// A file is empty, or was left by a copy or download that did not end.
    UnfinishedFile = "R305", Error, None;
    /// `config.json` does not say what the model is.
    ModelUnnamed = "R306", Error, None;
    /// There is no tokenizer.
    TokenizerMissing = "R307", Error, None;
    /// A token id lies beyond the vocabulary of the model.
    TokenBeyondVocabulary = "R308", Error, None;
    /// The loadable model lies in a directory of this one.
    ModelElsewhere = "R309", Error, None;
    /// There are no weights.
    WeightsMissing = "R310", Error, None;
    /// A file of the weights is missing.
    ShardMissing = "R311", Error, None;
    /// The header of a safetensors file cannot be read.
    HeaderBroken = "R312", Error, None;
    /// Tensors lie behind the end of their file.
    DataCutOff = "R313", Error, None;
    /// Tensors overlap, or bytes belong to none.
    LayoutBroken = "R314", Error, None;
    /// Type and shape of a tensor ask for another number of bytes than it has.
    TensorSize = "R315", Error, None;
    /// A file goes on behind its last tensor.
    SurplusBytes = "R316", Error, None;
    /// Index and files disagree about which tensors there are.
    IndexDisagrees = "R317", Error, None;
    /// Weight files that no loader takes, beside those that one does.
    StrayWeights = "R318", Warning, None;
    /// The weights are pickled and were not looked into.
    PickledWeights = "R319", Warning, None;
    /// The weights are the shards of a training and were not merged.
    UnmergedShards = "R320", Error, None;
    /// There is an adapter and no model.
    AdapterOnly = "R321", Error, None;
    /// The numbers are stored in another type than the configuration says.
    DtypeDiffers = "R322", Warning, None;
    /// Layers are missing or lack tensors.
    LayersIncomplete = "R323", Error, None;
    /// The shape of a tensor contradicts the configuration.
    ShapeDisagrees = "R324", Error, None;
    /// The model has another number of parameters than its configuration asks for.
    ParameterCount = "R325", Error, None;
    /// Weights are NaN or infinite.
    WeightsNotFinite = "R326", Error, None;
    /// A tensor holds nothing but zeros.
    WeightsZero = "R327", Warning, None;
    /// A tensor is in two files.
    TensorTwice = "R328", Error, None;
    /// The weights are in a format of other programs.
    OtherFormat = "R329", Error, None;
    /// Bytes of a log are no text.
    LogBytesReplaced = "R401", Info, None;
    /// Lines of a log are GBK.
    LogInGbk = "R402", Info, None;
    /// Lines of a log hold NUL bytes.
    LogBinary = "R403", Info, None;
    /// Lines of a log are longer than is read.
    LogLineCut = "R404", Info, None;
    /// A traceback stops before its last line.
    LogTracebackCut = "R405", Warning, None;
    /// More signatures or names than are kept.
    LogTooVaried = "R406", Warning, None;
    /// A log is a copy of another one of its run.
    LogTwice = "R407", Info, None;
    /// A pattern of the user fitted no line.
    PatternUnused = "R408", Warning, None;
    /// A run has no log.
    NoLog = "R409", Warning, None;
    /// Rollouts ended without a score.
    RolloutsUnscored = "R410", Warning, None;
    /// Scores lie beyond the scale that their own lines name.
    ScoreBeyondScale = "R411", Warning, None;
    /// A rollout's own lines contradict each other.
    RolloutContradiction = "R412", Warning, None;
    /// Scores name no rollout while several are open.
    ScoresUnassigned = "R413", Warning, None;
    /// Score lines name different largest scores.
    ScoreScalesDiffer = "R414", Warning, None;
    /// Scores are no finite numbers.
    ScoreNotFinite = "R415", Warning, None;
    /// A condition of a suggestion has a threshold in a unit that does not fit.
    ThresholdUnfit = "R416", Warning, None;
    /// Counters that cannot both be cumulative.
    SharesContradict = "R420", Error, None;
    /// Every cumulative counter falls at one step: counting began anew.
    CountersReset = "R421", Warning, None;
    /// A cumulative counter falls.
    CounterShrinks = "R422", Error, None;
    /// Nobody said whether a counter is cumulative.
    CountingUndeclared = "R423", Info, None;
    /// A share has counters that are no counts.
    NotCounts = "R424", Warning, None;
    /// Steps of a regular log are missing.
    StepsMissing = "R425", Warning, None;
    /// A stated average is not that of its parts.
    AverageContradicts = "R426", Warning, None;
    /// A metric over steps stands in several files.
    SeveralLogs = "R427", Info, None;
    /// The configuration names a metric that the run has not.
    MetricUnrecorded = "R428", Warning, None;
    /// A condition asks for a figure that there is not.
    FigureUnknown = "R429", Warning, None;
    /// Records of generations lack the field of their patterns.
    PatternsMissing = "R430", Warning, None;
    /// The run has gone beyond its plan.
    BeyondPlan = "R431", Warning, None;
    /// A condition compares figures of different units.
    ThresholdUnit = "R432", Warning, None;
    /// The text of an expectation cannot be read.
    ExpectationUnreadable = "R440", Warning, None;
    /// An expectation names a metric that neither arm has.
    ExpectationWithoutMetric = "R441", Warning, None;
    /// The unit of an expectation has two readings that lead to different answers.
    ExpectationAmbiguous = "R442", Warning, None;
    /// The unit of an expectation does not go with the metric.
    ExpectationUnit = "R443", Warning, None;
    /// A rule about anomalies asks for a figure that is not there.
    AnomalyUnknownFigure = "R444", Warning, None;
    /// The shares of all endings do not sum to 100%.
    SharesDoNotAddUp = "R445", Warning, None;
    /// The share of code that ran is not that of right and wrong answers.
    RanContradicted = "R446", Warning, None;
    /// A file that `metrics` was given does not hold JSON lines.
    NotLines = "R460", Error, None;
    /// Records say nothing of an answer.
    SilentRecords = "R461", Warning, None;
    /// Error types that no list has.
    KindUnlisted = "R462", Warning, None;
    /// Records of which nothing says how they ended.
    KindUnknown = "R463", Warning, None;
    /// Fields that some records lack.
    FieldGaps = "R464", Info, None;
    /// A value that its field cannot have.
    ImpossibleValue = "R465", Warning, None;
    /// Several records answer one problem.
    SeveralAnswers = "R466", Info, None;
    /// Records that equal an earlier one.
    EqualRecords = "R467", Warning, None;
    /// `accepted` and the kind of ending exclude each other.
    OutcomeDisagrees = "R468", Warning, None;
    /// More problems than are told apart.
    ProblemsUntold = "R469", Info, None;
    /// Records of several checkpoints.
    SeveralSteps = "R470", Warning, None;
    /// A QA log as input.
    DrawnInput = "R471", Warning, None;
    /// Quantiles from rounded values.
    QuantileRounded = "R472", Info, None;
    /// More names than are kept apart.
    TooManyNames = "R473", Warning, None;
    /// A file without any outcome.
    NothingToCount = "R474", Warning, None;
    /// A QA log in a directory of outcomes.
    DrawnLeftOut = "R475", Info, None;
    /// The run records another best checkpoint than its evaluations show.
    OtherBestRecorded = "R480", Warning, None;
    /// A planned evaluation is not there.
    PlannedEvaluationMissing = "R481", Warning, None;
    /// An evaluation covers another number of samples than planned.
    EvaluationOfOtherSize = "R482", Warning, None;
    /// The evaluation at the end is of no known step.
    FinalStepUnknown = "R483", Warning, None;
    /// Figures at a checkpoint of which no step is known.
    StepIllegible = "R484", Warning, None;
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}
