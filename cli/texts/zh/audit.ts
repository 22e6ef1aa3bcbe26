import type { Catalogue } from '../../texts.ts'

export const auditTexts: Catalogue = {
  'Audit log of administrator actions': '管理员做过什么，以及此前的内容',
  'List administrator actions, newest first': '列出管理员的操作，最新的在前',
  'Print the latest administrator actions; with -f, also new ones until Ctrl-C':
    '打印管理员最近的操作；加 -f 则持续打印新操作，直到按下 Ctrl-C',
  'Export all administrator actions, newest first; Ctrl-C leaves complete rows':
    '写出管理员的全部操作，最新的在前；按 Ctrl-C 只留下完整的行',
  'filter by user (name or ID)': '仅此用户的操作，按名称或编号',
  'filter by action, such as channel.update, or noun, such as channel':
    '仅此操作（如 channel.update），或某一类的全部操作（如 channel）',
  'filter by object, such as channel:7': '仅针对此对象的操作，如 channel:7',
  'only rows older than this one, for the next page': '仅早于此行的：即下一页',
  'To follow new actions: tollgate audit tail -f --json': '持续跟踪：tollgate audit tail -f --json',
  'No administrator actions.': '没有管理员的操作。',
  'Incomplete: {0} has {1} rows.': '已中断：{0} 有 {1} 条。',
  'interrupted: {0} has {1} rows': '已中止：{0} 有 {1} 条',
  'Key of channel {0}, required because its address changes': '渠道 {0} 的密钥（地址将更改，需重新输入）',
  actor: '操作者',
  address: '地址',
  action: '操作',
  object: '对象',
  before: '此前',
  after: '此后',
}
