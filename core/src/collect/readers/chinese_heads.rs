//! What Chinese heads of columns are called elsewhere.

/// Heads that mean one thing wherever they stand, with its name.
pub(super) const CHINESE_HEADS: &[(&str, &str)] = &[
    ("模型", "model"),
    ("模型名称", "model"),
    ("方法", "method"),
    ("系统", "system"),
    ("数据集", "dataset"),
    ("任务", "dataset"),
    ("评测集", "dataset"),
    ("基准", "benchmark"),
    ("测试集", "test_set"),
    ("数据集版本", "dataset_version"),
    ("种子", "seed"),
    ("随机种子", "seed"),
    ("学习率", "learning_rate"),
    ("批大小", "batch_size"),
    ("批次大小", "batch_size"),
    ("批量大小", "batch_size"),
    ("训练轮数", "num_train_epochs"),
    ("权重衰减", "weight_decay"),
    ("检查点", "checkpoint"),
    ("提示词", "prompt"),
    ("提示词版本", "prompt_version"),
    ("系统提示词", "system_prompt"),
    ("判分模型", "judge_model"),
    ("评审模型", "judge_model"),
    ("裁判模型", "judge_model"),
    ("裁判", "judge"),
    ("温度", "temperature"),
    ("采样温度", "temperature"),
    ("量化", "quantization"),
    ("优化器", "optimizer"),
    ("训练数据", "training_data"),
    ("最大长度", "max_length"),
    ("上下文", "context"),
    ("上下文长度", "context_length"),
    ("基座模型", "base_model"),
    ("推理引擎", "inference_engine"),
    ("数据类型", "dtype"),
    ("提示模板", "prompt_template"),
    ("评委", "judge"),
    ("评测集版本", "dataset_version"),
    ("采样次数", "num_generations"),
    ("KL系数", "kl_coef"),
    ("样例数", "num_fewshot"),
    ("思维链", "cot"),
    ("正确数/总数", "accuracy"),
];

/// Fields of samples beside these.
const FIELDS: &[(&str, &str)] = &[
    ("题目", "question"),
    ("题干", "question"),
    ("问题", "question"),
    ("参考答案", "reference_answer"),
    ("标准答案", "reference_answer"),
    ("正确答案", "correct_answer"),
    ("回答", "response"),
    ("模型回答", "response"),
    ("模型输出", "response"),
    ("模型答案", "response"),
    ("答案", "answer"),
    ("输出", "output"),
    ("指令", "instruction"),
    ("输入", "input"),
    ("得分", "score"),
    ("轮次", "epoch"),
    ("判定", "correct"),
    ("判断", "correct"),
    ("对错", "correct"),
    ("判分结果", "correct"),
    ("评测结果", "correct"),
    ("结果", "correct"),
];

/// What a Chinese head is called elsewhere.
pub(super) fn in_english(head: &str) -> Option<&'static str> {
    listed(CHINESE_HEADS, head)
}

fn listed(list: &[(&str, &'static str)], head: &str) -> Option<&'static str> {
    // Nearly every head is ASCII, and none in a list is.
    let listed = || list.iter().find(|(chinese, _)| *chinese == head).map(|(_, name)| *name);
    if head.is_ascii() { None } else { listed() }
}

/// A head as settings and coordinates are called: in lower case and in English.
pub(super) fn plain_head(head: &str) -> String {
    in_english(head).map_or_else(|| head.to_ascii_lowercase(), str::to_owned)
}

/// A head as a key of settings is written: `max_tokens` of `Max tokens`.
pub(super) fn setting_key(head: &str) -> String {
    plain_head(head.trim()).replace([' ', '-'], "_")
}

/// What a Chinese field of a sample is called elsewhere.
pub(super) fn field_in_english(name: &str) -> Option<&'static str> {
    listed(FIELDS, name).or_else(|| in_english(name))
}
