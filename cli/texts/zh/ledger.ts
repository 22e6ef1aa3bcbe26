import type { Catalogue } from '../../texts.ts'

/** `ledger`. */
export const ledgerTexts: Catalogue = {
  'Prove every sum of the books: balances, held and used quota, orders, codes, tasks, counts; exit code 1 when one differs':
    '证明账目的每一项合计：余额、冻结与已用额度、订单、兑换码、任务、统计；有差异时退出码为 1',
  'Show how the differences that `ledger verify` finds can be corrected, and correct them after a confirmation':
    '显示 `ledger verify` 发现的差异可以如何更正，并在确认后更正',
  'Each correction adds an entry that states the reason. Entries, charges and balances are never edited: where a balance differs, the entry says by how much, and the books are equal from then on. Sums of other rows are made again. It may run beside a gateway.':
    '每次更正都会新增一条说明原因的入账。入账、扣费和余额从不被修改：余额有差异时，入账写明差额，此后账目相等。其他行的合计会重新计算。可以在网关运行时执行。',
  "Compare a provider's usage export with the log by model and day; exit code 1 when they differ":
    '按模型和日期比较供应商的用量导出与日志；有差异时退出码为 1',
  'the export; - is stdin': '导出文件；- 表示标准输入',
  'only what these channels relayed': '仅这些渠道转发的请求',
  'differences up to this are none': '不超过此百分比的差异不计',
  "of the export's days, if it is not the usual one": '导出文件中日期所用的时区，若不是通常的时区',
  'the time zone {0} is unknown: expected a name such as UTC or Europe/Berlin':
    '{0} 不是时区：应为 UTC 或 Europe/Berlin 这样的名称',
  "Known are the exports of usage and of costs of Anthropic's console, those of activity and of costs of OpenAI's dashboard, and the cost table of Google Cloud Billing. Days are UTC; those of Google are of the zone America/Los_Angeles. Versions of a model, such as gpt-4o-2024-08-06, are compared together. Tokens that the provider counted and the log has not are a positive difference. Costs are shown beside what users were charged; they may differ.":
    '支持 Anthropic 控制台的用量和费用导出、OpenAI 仪表盘的活动和费用导出，以及 Google Cloud Billing 的费用表。日期为 UTC；Google 的日期按 America/Los_Angeles 时区。同一模型的不同版本（如 gpt-4o-2024-08-06）合并比较。供应商计入而日志没有的令牌数为正差额。费用与向用户收取的金额并列显示，两者可以不同。',
  'input logged': '日志输入',
  'output logged': '日志输出',
  'cost ($)': '费用 ($)',
  'charged ($)': '收取 ($)',
  'The export says nothing of models.': '导出文件中没有模型用量。',
  '{0} of {1} rows differ by more than {2} %.': '{1} 行中有 {0} 行的差异超过 {2} %。',
  expected: '应为',
  correction: '更正',
  'none: look at it yourself': '无：请自行查看',
  'Make these {0} corrections?': '执行这 {0} 项更正？',
  'The books balance.': '账目平衡。',
  'The books still differ: tollgate ledger verify': '账目仍有差异：tollgate ledger verify',
  '{0} other rows differ': '另有 {0} 行不符',
  'What can be done: tollgate ledger repair': '处理办法：tollgate ledger repair',
  'quota that the user may owe; 0 = none': '用户可欠的额度；0 = 不可欠',
  'debt limit': '欠费上限',
}
