import type { Catalogue } from '../../texts.ts'

export const auditTexts: Catalogue = {
  'What administrators did, with what was before': '管理员做过什么，以及此前的内容',
  'List what administrators did, newest first': '列出管理员的操作，最新的在前',
  'Print what administrators did last, and with -f what they do, until Ctrl-C':
    '打印管理员最近的操作；加 -f 则持续打印新操作，直到按下 Ctrl-C',
  'Write all that administrators did, newest first; Ctrl-C leaves whole rows behind':
    '写出管理员的全部操作，最新的在前；按 Ctrl-C 只留下完整的行',
  'only actions of this user, by name or number': '仅此用户的操作，按名称或编号',
  'only this action, such as channel.update, or all of a kind, such as channel':
    '仅此操作（如 channel.update），或某一类的全部操作（如 channel）',
  'only actions on this object, such as channel:7': '仅针对此对象的操作，如 channel:7',
  'only older rows than this one: the next page': '仅早于此行的：即下一页',
  'To follow them: tollgate audit tail -f --json': '持续跟踪：tollgate audit tail -f --json',
  'No actions of administrators.': '没有管理员的操作。',
  'Broken off: {0} has {1} rows.': '已中断：{0} 有 {1} 条。',
  'interrupted: {0} has {1} rows': '已中止：{0} 有 {1} 条',
  'Key of channel {0}, which would go elsewhere': '渠道 {0} 的密钥，它将发往别处',
  actor: '操作者',
  address: '地址',
  action: '操作',
  object: '对象',
  before: '此前',
  after: '此后',
}
