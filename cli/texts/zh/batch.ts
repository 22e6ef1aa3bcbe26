import type { Catalogue } from '../../texts.ts'

export const batchTexts: Catalogue = {
  'Batches of requests at upstreams': '上游的批处理请求（所有用户）',
  'Files at upstreams': '上游的文件（所有用户）',
  'List batches of all users, newest first': '列出所有用户的批处理，最新的在前',
  'List files of all users, newest first': '列出所有用户在上游的文件，最新的在前',
  'filter by upstream ID': '仅在上游具有此 id 的一项',
  'filter by API': '仅此 API 的批处理',
  'filter by state, such as in_progress, completed, ended or submitting':
    '仅此状态的批处理，例如 in_progress、completed、ended 或 submitting',
  'filter by purpose, such as batch, batch_output or user_data':
    '仅此用途的文件，例如 batch、batch_output 或 user_data',
  'only those created since: a duration such as 1h or 7d, or a date such as 2026-01-31':
    '仅此时间之后创建的：时长如 1h 或 7d，或日期如 2026-01-31',
  'only those created until: the same formats': '仅此时间之前创建的：写法相同',
  'Show a batch': '显示一个批处理',
  'Show a file': '显示一个文件',
  'batch ID': '批处理在列表中的编号',
  'file ID': '文件在列表中的编号',
  'batch IDs': '批处理在列表中的编号',
  'file IDs': '文件在列表中的编号',
  'Cancel running batches; served requests are charged': '在上游取消正在运行的批处理；已完成的请求仍需付费',
  'Delete files here and at their upstreams, permanently': '在上游和本站永久删除文件',
  'Cancel {0}? This cannot be undone.': '取消 {0}？此操作无法撤销。',
  'Delete {0}? This cannot be undone.': '删除 {0}？此操作无法撤销。',
  'Batch {0}, {1}, is {2}.': '批处理 {0}（{1}）的状态为 {2}。',
  'Deleted file {0}, {1}.': '已删除文件 {0}（{1}）。',
  'No batches.': '没有批处理。',
  'No files.': '没有文件。',
  endpoint: '端点',
  expires: '截止',
  'input file': '输入文件',
  outcome: '结果',
  purpose: '用途',
  settled: '结算于',
  'written by': '来源批处理',
}
