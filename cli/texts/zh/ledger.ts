import type { Catalogue } from '../../texts.ts'

/** `ledger`. */
export const ledgerTexts: Catalogue = {
  'Verify all sums of the ledger: balances, held and used quota, orders, codes, tasks, counts; exit code 1 on a difference':
    '证明账目的每一项合计：余额、冻结与已用额度、订单、兑换码、任务、统计；有差异时退出码为 1',
  'Show corrections of the differences that `ledger verify` finds, and apply them after confirmation':
    '显示 `ledger verify` 发现的差异可以如何更正，并在确认后更正',
  'Each correction adds an entry that states the reason. Entries, charges and balances are never edited: if a balance differs, the entry records the difference, and the ledger is equal from then on. Sums of other rows are recomputed. It can run beside a gateway.':
    '每次更正都会新增一条说明原因的入账。入账、扣费和余额从不被修改：余额有差异时，入账写明差额，此后账目相等。其他行的合计会重新计算。可以在网关运行时执行。',
  "Compare a provider's usage export with the log by model and day; exit code 1 if they differ":
    '按模型和日期比较供应商的用量导出与日志；有差异时退出码为 1',
  'export file; - for stdin': '导出文件；- 表示标准输入',
  'only requests of these channels': '仅这些渠道转发的请求',
  'ignore differences up to this percentage': '不超过此百分比的差异不计',
  "time zone of the export's days, if not the usual one": '导出文件中日期所用的时区，若不是通常的时区',
  'unknown time zone {0}: use a name such as UTC or Europe/Berlin':
    '{0} 不是时区：应为 UTC 或 Europe/Berlin 这样的名称',
  "Supports exports of usage and of costs of Anthropic's console, those of activity and of costs of OpenAI's dashboard, and the cost table of Google Cloud Billing. Days are UTC; those of Google are in the zone America/Los_Angeles. Versions of a model, such as gpt-4o-2024-08-06, are compared together. Tokens that the provider counted and the log lacks are a positive difference. Costs are shown beside the charges of users; they may differ.":
    '支持 Anthropic 控制台的用量和费用导出、OpenAI 仪表盘的活动和费用导出，以及 Google Cloud Billing 的费用表。日期为 UTC；Google 的日期按 America/Los_Angeles 时区。同一模型的不同版本（如 gpt-4o-2024-08-06）合并比较。供应商计入而日志没有的令牌数为正差额。费用与向用户收取的金额并列显示，两者可以不同。',
  'input logged': '日志输入',
  'output logged': '日志输出',
  'cost ($)': '费用 ($)',
  'charged ($)': '收取 ($)',
  'The export contains no models.': '导出文件中没有模型用量。',
  '{0} of {1} rows differ by more than {2} %.': '{1} 行中有 {0} 行的差异超过 {2} %。',
  expected: '应为',
  correction: '更正',
  'none: check it manually': '无：请自行查看',
  'Apply these {0} corrections?': '执行这 {0} 项更正？',
  'The ledger balances.': '账目平衡。',
  'The ledger still differs: tollgate ledger verify': '账目仍有差异：tollgate ledger verify',
  '{0} other rows differ': '另有 {0} 行不符',
  'To repair it: tollgate ledger repair': '处理办法：tollgate ledger repair',
  'maximum debt of the user in quota; 0 = none': '用户可欠的额度；0 = 不可欠',
  'debt limit': '欠费上限',
}
