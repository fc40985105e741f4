//! The table of codes: one row each, with severity and effect on comparability.
//!
//! `R1xx` reading, `R2xx` comparability, `R3xx` checkpoints to hand over, `R40x` and `R41x` logs,
//! `R42x` and `R43x` the progress of one run, `R44x` phases, `R46x` and `R47x` metrics of outcomes,
//! `R480` to `R484` the best checkpoint, `R485`, `R486` and `R488` to `R509` comparability again,
//! `R487` words of a person in reports, `R510` to `R515`, `R530` and `R531` reading again.

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

            /// What the finding does to the comparison.
            pub const fn effect(self) -> Effect {
                match self { $(Self::$name => Effect::$effect,)* }
            }
        }
    };
}

codes! {
    Unreadable = "R101", Error, None;
    BadRecord = "R102", Warning, None;
    TornTail = "R103", Warning, None;
    DuplicateIds = "R104", Warning, None;
    ConflictingIds = "R105", Error, None;
    /// A score or metric is NaN or infinite; kept as "no score", never as a number.
    NotFinite = "R106", Warning, None;
    InvalidUtf8 = "R107", Warning, None;
    LineTooLong = "R108", Warning, None;
    NothingReadable = "R109", Error, None;
    NoScores = "R110", Warning, None;
    /// A run directory holds several evaluations of the same thing; the newest is used.
    Superseded = "R111", Info, None;
    DuplicateKey = "R112", Warning, None;
    EmptyFile = "R113", Warning, None;
    UnknownSetting = "R114", Warning, None;
    SameRunTwice = "R115", Warning, None;
    /// A run or a file holds more than is read.
    LimitReached = "R116", Warning, None;
    TooLarge = "R117", Warning, None;
    /// Two files of a run give different figures for the same thing; the first is used.
    ConflictingFigures = "R118", Warning, None;
    RepeatedPositions = "R119", Info, None;
    /// Every id has the same number of records: K answers to one problem, averaged.
    RepeatedSamples = "R120", Info, None;
    /// Shares of a file are taken for percentages, because one of them exceeds 1.
    UnitInferred = "R121", Warning, None;
    Unrecognised = "R122", Warning, None;
    SeveralConfigs = "R123", Warning, None;
    MetricUnused = "R124", Info, None;
    PrimaryUnused = "R125", Warning, None;
    PrimaryUndirected = "R126", Warning, None;
    /// A stated percentage of right answers that no whole count over its n gives.
    ImpossibleShare = "R130", Error, None;
    /// A stated percentage of what may be partly right that no whole count over its n gives.
    FractionalShare = "R131", Info, None;
    UnevenAnswers = "R150", Warning, None;
    /// Some answers to a problem have no score; the problem has no mean.
    PartlyScored = "R151", Warning, None;
    OutOfRange = "R152", Warning, None;
    /// A record has different scores under two names of one metric.
    RivalNames = "R153", Warning, None;
    /// Samples without a dataset were named after their file, as another run names them.
    DatasetFromOther = "R154", Info, None;
    AnswerNoise = "R155", Info, None;
    TooFewAnswers = "R156", Warning, None;
    ContradictoryRecord = "R157", Warning, None;
    AggregateOutOfRange = "R158", Warning, None;
    CopiedFile = "R159", Warning, None;
    ImpossibleSize = "R160", Warning, None;
    /// A stated standard error that no mean over its n can have.
    ImpossibleStderr = "R161", Error, None;
    /// A figure without a unit is a share by its samples and a percentage by declaration.
    ShareDeclaredPercent = "R162", Warning, None;
    /// A score without bounds is infinite, and so is the mean.
    InfiniteScores = "R163", Warning, None;
    /// An arm chose beforehand to score only some of the other's samples.
    ChosenPart = "R164", Info, None;
    /// A standard deviation is so small that it may be of runs instead of samples.
    DeviationNarrow = "R165", Warning, None;
    /// A file declares the other side of a metric good than the shipped catalogue.
    DirectionUnusual = "R166", Warning, None;
    /// A size that seems to count answers is taken for that of the problems.
    SizeOfAnswers = "R167", Info, None;
    /// A figure of right and wrong samples can only be an average over several answers.
    AverageOfAnswers = "R168", Warning, None;
    /// A run links to, or names, files outside what it may reach.
    OutsideRun = "R169", Warning, None;
    /// Directories of a run may be runs of their own.
    PossiblyRuns = "R172", Warning, None;
    /// Curves of one name in files that nothing tells apart.
    SameCurveName = "R173", Warning, None;
    /// What stands behind ± beside a figure is read as its standard error.
    SpreadAssumed = "R174", Warning, None;
    /// Tables of a document that give no metric.
    TableSetAside = "R175", Info, None;
    /// A run records a setting of its evaluation that is not as `[protocol]` has it.
    ProtocolBroken = "R176", Warning, None;
    /// A file holds an earlier version, or a part, of what another holds.
    VersionSetAside = "R177", Info, None;
    /// Of the files, between two readings of one command.
    RecordsChanged = "R178", Warning, None;
    /// A run stands in a file that was saved for comparisons.
    BaselineRead = "R179", Info, None;
    /// A step has several records, as of its generations, which are averaged.
    WrittenTwice = "R181", Warning, None;
    RecordsAveraged = "R180", Info, None;
    /// Stated figures are tested by the clusters that their file states, not by their samples.
    ClustersStated = "R190", Info, None;
    /// Scores say otherwise than answer and target of their records, in one arm alone.
    ScoresAgainstAnswers = "R191", Warning, Confounds;
    /// Records say one thing throughout in each arm, and not the same.
    ConstantsDiffer = "R200", Warning, None;
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
    DataQuality = "R208", Warning, Confounds;
    DataFileGone = "R209", Info, None;
    NoOverlap = "R210", Error, Blocks;
    /// The arms share only part of their samples.
    PartialOverlap = "R211", Warning, None;
    /// Too many samples of one arm are missing in the other for a verdict.
    Incomplete = "R212", Error, Blocks;
    /// Equal sample ids stand over different content.
    ContentDiffers = "R213", Error, Blocks;
    /// Samples agree in document but not in prompt.
    PromptDiffers = "R214", Warning, Confounds;
    PairedByContent = "R215", Info, None;
    /// Results of some cells are missing in one arm.
    MissingCells = "R216", Warning, None;
    /// Cells of one arm are identical across a dimension where they should move.
    IdenticalAcross = "R217", Warning, None;
    IdenticalArms = "R218", Warning, None;
    NoSharedMetric = "R219", Error, Blocks;
    VersionDiffers = "R220", Warning, Confounds;
    AggregateDisagrees = "R221", Warning, None;
    /// Failed or unscored samples bound the result.
    Unscored = "R222", Warning, None;
    /// One arm has figures over its checkpoints that the other has at one checkpoint only.
    LoneCurve = "R223", Info, None;
    NoConfig = "R224", Info, None;
    MarginUnused = "R225", Warning, None;
    /// Too many samples have no score in one arm for a verdict on the metric.
    ScoresMissing = "R226", Error, Blocks;
    /// One arm writes percentages where the other writes shares, and neither says so.
    UnitsDiffer = "R227", Error, Blocks;
    SizesDiffer = "R228", Warning, Confounds;
    RepeatsDiffer = "R229", Warning, None;
    /// A field from which rates follow is recorded in one arm only.
    FieldOneSided = "R230", Info, None;
    CodeDiffers = "R231", Warning, Confounds;
    /// Machines, or how work was laid out on them, differ; no metric of speed is compared.
    HardwareDiffers = "R232", Info, None;
    LibraryDiffers = "R233", Warning, Confounds;
    JudgeDiffers = "R234", Error, Confounds;
    /// Machines differ and a metric of speed is compared.
    SpeedUnlike = "R235", Warning, Confounds;
    /// A run was made from code that no commit holds.
    DirtyTree = "R236", Info, None;
    /// The only difference is of a kind that is hardly ever the factor, and was not taken for it.
    FactorDeclined = "R237", Info, None;
    KeysRespelled = "R238", Info, None;
    /// A metric of a judge was measured with different judges.
    JudgedMetric = "R239", Error, Blocks;
    /// A margin on a rate is so small that it looks like a share written for points.
    MarginShare = "R240", Warning, None;
    MarginBeyondRange = "R241", Warning, None;
    MarginUnit = "R242", Warning, None;
    MarginUndirected = "R243", Warning, None;
    ResponsesIdentical = "R244", Warning, None;
    ScoresIdentical = "R245", Warning, None;
    SameCheckpoint = "R246", Warning, Confounds;
    StderrDisagrees = "R247", Warning, None;
    /// Neither arm has a result, only training curves.
    OnlyCurves = "R248", Info, None;
    /// The arms have metrics in common, but on different datasets.
    NoSharedDataset = "R249", Error, Blocks;
    ArmRunsDiffer = "R250", Warning, Confounds;
    ArmRunsIdentical = "R251", Error, Blocks;
    /// Several runs of one arm record the same seed.
    SeedRepeated = "R252", Warning, None;
    /// One arm has a single run and the other several.
    OneSeed = "R253", Info, None;
    NoiseRunDiffers = "R254", Warning, None;
    /// A run that is to tell the noise cannot do so for some results.
    NoiseRunUnused = "R255", Warning, None;
    /// A run of the baseline is named to tell its own noise.
    NoiseIsBaseline = "R256", Warning, None;
    /// Runs that are to tell the noise are not needed, because arms have several runs.
    NoiseRedundant = "R257", Info, None;
    SeedsOnly = "R258", Info, None;
    /// A dataset that the baseline failed or passed as a whole, or that is named after failures.
    ItemsByOutcome = "R259", Warning, None;
    /// Of two fields that could say the cluster, the coarser one is taken.
    ClustersNested = "R260", Info, None;
    ClustersCrossed = "R261", Warning, None;
    PartlyClustered = "R262", Warning, None;
    ClusteringOff = "R263", Info, None;
    ClusterFieldLacking = "R264", Error, Blocks;
    /// The field that the user chose for clusters is another one for every sample.
    ClusterFieldSingle = "R265", Info, None;
    /// Every answer is the same text, and yet scores differ.
    Rescored = "R266", Error, Blocks;
    DirectionsContradict = "R267", Error, Blocks;
    /// Answers that are the same text are scored one way in one arm and another in the other.
    RescoredPartly = "R268", Warning, Confounds;
    /// Several runs of one arm record the same seed of the same model.
    SeedNoRepetition = "R269", Error, Blocks;
    /// One arm was trained on samples that it is evaluated on, or on more of them than the other.
    EvalInTraining = "R270", Warning, Confounds;
    /// Evaluated samples stand in the training data of both arms alike, or very few of them do.
    EvalInBothTrainings = "R271", Warning, None;
    SameRecords = "R272", Info, None;
    RecordsDiffer = "R273", Info, None;
    EvalFileDiffers = "R274", Error, Confounds;
    DataSchema = "R275", Warning, None;
    LabelShift = "R276", Warning, Confounds;
    DataDuplicates = "R277", Info, None;
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
    TrainingStopped = "R285", Warning, Confounds;
    TrainingShorter = "R286", Warning, Confounds;
    /// Aggregates of one dataset stand on numbers of samples that are far apart.
    SizesFarApart = "R287", Error, Blocks;
    /// A file of samples ends in the middle of a record, and more than that record is missing.
    DiedMidway = "R288", Error, Blocks;
    /// A run was compared because it is the best of its checkpoints.
    BestCheckpoint = "R289", Warning, None;
    /// An acceptance covers no finding, because none has its code.
    AcceptanceUnused = "R290", Warning, None;
    /// An acceptance covers no finding, because those of its code are about other subjects.
    AcceptanceElsewhere = "R291", Warning, None;
    /// Figures are totals of others beside them.
    TotalBesideParts = "R292", Info, None;
    /// One content stands behind several ids.
    RepeatedContent = "R293", Info, None;
    /// Differences of samples that share the value of a field are alike.
    HiddenClusters = "R294", Warning, None;
    /// A verdict would not stand if the few values of a field were a draw.
    FewPartsDecide = "R295", Warning, None;
    /// Datasets that are averaged have questions in common.
    SharedQuestions = "R296", Warning, None;
    /// Differences of samples whose ids begin alike are alike.
    HiddenInIds = "R297", Warning, None;
    /// Two figures of one file cannot both be true.
    FiguresContradict = "R298", Error, Blocks;
    /// Differences of samples whose paths or texts begin alike are alike.
    HiddenInTexts = "R299", Warning, None;
    ModelFileMissing = "R301", Error, None;
    ModelFileBroken = "R302", Error, None;
    /// A file that most users of the model expect is not there.
    ModelFileLacking = "R303", Warning, None;
    /// A file holds only the pointer of Git LFS to its content.
    PointerFile = "R304", Error, None;
    /// A file is empty, or was left by a copy or download that did not end.
    UnfinishedFile = "R305", Error, None;
    ModelUnnamed = "R306", Error, None;
    TokenizerMissing = "R307", Error, None;
    TokenBeyondVocabulary = "R308", Error, None;
    /// The loadable model lies in a directory of this one.
    ModelElsewhere = "R309", Error, None;
    WeightsMissing = "R310", Error, None;
    ShardMissing = "R311", Error, None;
    HeaderBroken = "R312", Error, None;
    DataCutOff = "R313", Error, None;
    /// Tensors overlap, or bytes belong to none.
    LayoutBroken = "R314", Error, None;
    /// Type and shape of a tensor ask for another number of bytes than it has.
    TensorSize = "R315", Error, None;
    /// A file goes on behind its last tensor.
    SurplusBytes = "R316", Error, None;
    IndexDisagrees = "R317", Error, None;
    /// Weight files that no loader takes, beside those that one does.
    StrayWeights = "R318", Warning, None;
    PickledWeights = "R319", Warning, None;
    UnmergedShards = "R320", Error, None;
    AdapterOnly = "R321", Error, None;
    /// The numbers are stored in another type than the configuration says.
    DtypeDiffers = "R322", Warning, None;
    LayersIncomplete = "R323", Error, None;
    ShapeDisagrees = "R324", Error, None;
    ParameterCount = "R325", Error, None;
    WeightsNotFinite = "R326", Error, None;
    WeightsZero = "R327", Warning, None;
    TensorTwice = "R328", Error, None;
    OtherFormat = "R329", Error, None;
    LogBytesReplaced = "R401", Info, None;
    LogInGbk = "R402", Info, None;
    LogBinary = "R403", Info, None;
    LogLineCut = "R404", Info, None;
    LogTracebackCut = "R405", Warning, None;
    /// More signatures or names than are kept.
    LogTooVaried = "R406", Warning, None;
    LogTwice = "R407", Info, None;
    /// A pattern of the user fitted no line.
    PatternUnused = "R408", Warning, None;
    NoLog = "R409", Warning, None;
    RolloutsUnscored = "R410", Warning, None;
    ScoreBeyondScale = "R411", Warning, None;
    /// A rollout's own lines contradict each other.
    RolloutContradiction = "R412", Warning, None;
    /// Scores name no rollout while several are open.
    ScoresUnassigned = "R413", Warning, None;
    ScoreScalesDiffer = "R414", Warning, None;
    ScoreNotFinite = "R415", Warning, None;
    ThresholdUnfit = "R416", Warning, None;
    /// Counters that cannot both be cumulative.
    SharesContradict = "R420", Error, None;
    /// Every cumulative counter falls at one step: counting began anew.
    CountersReset = "R421", Warning, None;
    CounterShrinks = "R422", Error, None;
    CountingUndeclared = "R423", Info, None;
    /// A share has counters that are no counts.
    NotCounts = "R424", Warning, None;
    StepsMissing = "R425", Warning, None;
    AverageContradicts = "R426", Warning, None;
    /// A metric over steps stands in several files.
    SeveralLogs = "R427", Info, None;
    MetricUnrecorded = "R428", Warning, None;
    /// A condition asks for a figure that there is not.
    FigureUnknown = "R429", Warning, None;
    PatternsMissing = "R430", Warning, None;
    BeyondPlan = "R431", Warning, None;
    ThresholdUnit = "R432", Warning, None;
    ExpectationUnreadable = "R440", Warning, None;
    ExpectationWithoutMetric = "R441", Warning, None;
    /// The unit of an expectation has two readings that lead to different answers.
    ExpectationAmbiguous = "R442", Warning, None;
    ExpectationUnit = "R443", Warning, None;
    /// A rule about anomalies asks for a figure that is not there.
    AnomalyUnknownFigure = "R444", Warning, None;
    SharesDoNotAddUp = "R445", Warning, None;
    /// The share of code that ran is not that of right and wrong answers.
    RanContradicted = "R446", Warning, None;
    NotLines = "R460", Error, None;
    /// Records say nothing of an answer.
    SilentRecords = "R461", Warning, None;
    /// Error types that no list has.
    KindUnlisted = "R462", Warning, None;
    /// Records of which nothing says how they ended.
    KindUnknown = "R463", Warning, None;
    FieldGaps = "R464", Info, None;
    ImpossibleValue = "R465", Warning, None;
    SeveralAnswers = "R466", Info, None;
    EqualRecords = "R467", Warning, None;
    /// `accepted` and the kind of ending exclude each other.
    OutcomeDisagrees = "R468", Warning, None;
    /// More problems than are told apart.
    ProblemsUntold = "R469", Info, None;
    SeveralRunsCounted = "R470", Warning, None;
    /// A QA log as input.
    DrawnInput = "R471", Warning, None;
    QuantileRounded = "R472", Info, None;
    TooManyNames = "R473", Warning, None;
    NothingToCount = "R474", Warning, None;
    /// A QA log in a directory of outcomes.
    DrawnLeftOut = "R475", Info, None;
    OtherBestRecorded = "R480", Warning, None;
    PlannedEvaluationMissing = "R481", Warning, None;
    EvaluationOfOtherSize = "R482", Warning, None;
    FinalStepUnknown = "R483", Warning, None;
    /// Figures at a checkpoint of which no step is known.
    StepIllegible = "R484", Warning, None;
    /// One arm lacks answers that the other has, and they were scored.
    AnswersLacking = "R485", Warning, None;
    /// One arm asked again for answers that came out in one way.
    AnsweredAgain = "R486", Error, Blocks;
    /// A marked place in an earlier report is not closed, or closed without being open.
    MarkerUnpaired = "R487", Error, None;
    /// Rates of at most 1 may be shares in one arm and percentages below 1 in the other.
    UnitsMayDiffer = "R488", Error, Blocks;
    /// Answers that a field numbers are alike where the number is one: they are those of several runs.
    AnswersOfRuns = "R489", Error, Blocks;
    /// Scores of one arm are those of the other shifted by one, or in another unit.
    ScalesDiffer = "R490", Error, Blocks;
    /// A field that describes the question disagrees over equal ids, and scores go with it.
    OtherQuestions = "R491", Error, Blocks;
    /// Equal samples were given to other raters, users or machines in the other arm, and scores go with
    /// them.
    AssignedOtherwise = "R492", Error, Blocks;
    /// Samples have unlike weights, which no comparison uses.
    WeightsUnused = "R493", Warning, None;
    /// Scores without bounds that the arms may have given on different scales.
    ScalesMayDiffer = "R494", Warning, None;
    /// Differences of averaged datasets go together where ids are equal.
    DatasetsTogether = "R495", Info, None;
    /// A value among scores without bounds seems to stand for none.
    NoScoreAmongScores = "R496", Error, Blocks;
    /// One arm asked again, and answers that were given at once are better.
    RetriedByOutcome = "R497", Error, Blocks;
    /// Runs of one arm that are checkpoints of one training, or folds of one cross-validation.
    RunsOfOneTraining = "R498", Warning, None;
    /// One arm asked for more answers again than the other.
    RetriesDiffer = "R499", Warning, Confounds;
    /// A measured score has one value often in one arm alone: missing scores filled in, or a limit.
    FilledInOneArm = "R500", Warning, Confounds;
    /// Ids say that records are resamples, folds or checkpoints, and not samples.
    RecordsNotSamples = "R501", Error, Blocks;
    /// A count in one arm alone shows that wrong answers were asked for again.
    AskedUntilRight = "R502", Warning, Confounds;
    /// The arms were evaluated at other points of their trainings, and differ in other things too.
    PointsDiffer = "R503", Warning, Confounds;
    /// Rows of one table give one point several figures, and nothing tells the rows apart.
    RowsDisagree = "R504", Error, Blocks;
    /// Commands, logs or results state single settings, and nothing the configuration.
    PartialConfig = "R505", Info, None;
    /// A figure of a run that has none of a setting stands beside each value of it.
    FigureRepeated = "R506", Info, None;
    /// Equal samples were asked or scored at other settings, though both arms have the same settings in all.
    SettingsApart = "R507", Error, Confounds;
    /// Logs print other values of settings that no configuration file has, or that contradict it.
    PrintedOtherwise = "R508", Warning, None;
    /// Too many answers to problems that both arms were asked are in one arm alone.
    AnswersLost = "R509", Error, Blocks;
    /// A database of runs has some that were deleted.
    DeletedRuns = "R510", Info, None;
    /// A workbook has further sheets, or a database tables, which are not read.
    OtherSheets = "R511", Info, None;
    /// Cells of a spreadsheet hold an error in place of a value.
    CellErrors = "R512", Warning, None;
    /// `[[reader]]` names files that no run has.
    ReaderUnused = "R513", Warning, None;
    /// `[[reader]]` names places at which a file has nothing.
    NothingAtPlace = "R514", Warning, None;
    /// Cells of a table of a database hold bytes in place of a value.
    CellsOfBytes = "R515", Warning, None;
    /// Samples were counted by an engine, and no single one was seen.
    CountedElsewhere = "R530", Info, None;
    /// Records that an engine counted have no id.
    CountedWithoutId = "R531", Warning, None;
}
