import type { Catalogue } from '../../texts.ts'

export const taskTexts: Catalogue = {
  'Drawings and music: what became of them': '绘图与音乐：结果如何',
  'List tasks, newest first': '列出任务，最新的在前',
  'Show one task': '显示一个任务',
  'number of the task in its list': '任务在其列表中的编号',
  'what it is': '种类',
  'only what the upstream calls by this id': '仅上游以此 id 称呼的任务',
  'only those of this action, for example MUSIC, LYRICS or IMAGINE': '仅此动作的任务，例如 MUSIC、LYRICS 或 IMAGINE',
  'only those in this state, for example SUCCESS, FAILURE or IN_PROGRESS':
    '仅此状态的任务，例如 SUCCESS、FAILURE 或 IN_PROGRESS',
  'only those of this user': '仅此用户的任务',
  'only those of this channel': '仅此渠道的任务',
  'only those submitted since then: a duration such as 1h or 7d, or a date such as 2026-01-31':
    '仅此时间之后提交的任务：时长如 1h 或 7d，或日期如 2026-01-31',
  'only those submitted until then: the same words': '仅此时间之前提交的任务：写法相同',
  'No drawings.': '没有绘图。',
  'No tasks.': '没有任务。',
  submitted: '提交',
  action: '动作',
  status: '状态',
  progress: '进度',
  'failed because': '失败原因',
  started: '开始',
  finished: '结束',
  'upstream id': '上游 id',
  platform: '平台',
  input: '输入',
  result: '结果',
  picture: '图片',
}
