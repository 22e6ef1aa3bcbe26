import type { CoverageRow } from './row.ts'

const OPERATION = 'tests/console/browser/settings-operation.test.ts'
const SYSTEM = 'tests/console/browser/settings-system.test.ts'
const OTHER = 'tests/console/browser/settings-other.test.ts'
const AREAS = 'tests/console/pages/settings/areas.test.ts'
const PRICES = 'tests/console/pages/settings/price-rows.test.ts'
const TEXTS = 'tests/console/pages/settings/option-texts.test.ts'

const operation = `${OPERATION} › the operation settings`
const table = `${OPERATION} › the table of model prices`
const system = `${SYSTEM} › the system settings`
const other = `${OTHER} › the other settings`
const early = `${operation} › save each area, and only changed values`
const late = `${operation} › save only changed values of monitoring, quota, chats, groups and prices`
const everyKey = `${AREAS} › every server option has exactly one field`
const addresses = `${system} › save addresses without a trailing slash`
const providers = `${system} › list the prerequisites of a sign-in method before it can be enabled`
const payment = `${system} › require the server address before payment, and ratios that are JSON`
const whitelist = `${system} › edit the accepted mail domains as a list`
const secrets = `${system} › never show a secret, and keep it while its field is empty`
const passwordLogin = `${system} › ask before password login is disabled`
const content = `${other} › are saved one by one: notice, name, logo, home page, about and footer`
const edits = `${table} › adds, edits and deletes models, and saves them with the area`
const badJson = `${operation} › validate JSON on blur, and do not save invalid JSON`
const lowest = `${AREAS} › a whole number has the server's minimum here`
const refused = `${operation} › show server errors at the field, and keep the rest`
const logs = `${operation} › delete logs older than a chosen time`
const reset = `${table} › and the JSON can be reset to the built-in ratios`

export const rows: CoverageRow[] = [
  { spec: 'A §2', line: 'Operation settings: general, drawing, sensitive words, logs, data dashboard', test: early },
  { spec: 'A §2', line: 'Operation settings: monitoring, quota, token chat, group ratio, model ratio', test: late },
  {
    spec: 'A §2',
    line: 'Model ratio has a JSON tab and a visual table tab, 10 rows a page',
    test: `${table} › has ten rows per page, and finds a model by name`,
  },
  { spec: 'A §2', line: 'System settings: server address, worker proxy, payment', test: addresses },
  { spec: 'A §2', line: 'System settings: login and register switches', test: passwordLogin },
  { spec: 'A §2', line: 'System settings: email domain whitelist', test: whitelist },
  { spec: 'A §2', line: 'System settings: SMTP', test: secrets },
  {
    spec: 'A §2',
    line: 'System settings: GitHub and LinuxDO OAuth, WeChat server, Telegram bot, Turnstile',
    test: providers,
  },
  { spec: 'A §2', line: 'Other settings: notice, system name, logo, home page, about, footer', test: content },
  { spec: 'A §3', line: 'Option entry: every key can be edited', test: everyKey },
  {
    spec: 'A §3',
    line: 'Option entry: values travel as text; JSON is edited as JSON, a switch is a switch',
    test: `${AREAS} › JSON options are edited as JSON, and boolean options are switches`,
  },
  { spec: 'A §3', line: 'Address and payment: Price default 7.3, MinTopUp default 1', test: payment },
  { spec: 'A §3', line: 'Login and register switches', test: passwordLogin },
  { spec: 'A §3', line: 'OAuth, WeChat, Telegram and Turnstile keys', test: providers },
  { spec: 'A §3', line: 'Email restriction: EmailDomainWhitelist as a comma list', test: whitelist },
  { spec: 'A §3', line: 'SMTP keys', test: secrets },
  { spec: 'A §3', line: 'Content: Notice, SystemName, Logo, HomePageContent, About, Footer', test: content },
  { spec: 'A §3', line: 'Content: ChatLink, Chats (JSON array)', test: late },
  { spec: 'A §3', line: 'Display: RetryTimes, DefaultCollapseSidebar and the other switches', test: early },
  { spec: 'A §3', line: 'Drawing: the six switches', test: early },
  { spec: 'A §3', line: 'Sensitive words: switches, and SensitiveWords one a line', test: early },
  { spec: 'A §3', line: 'Logs and dashboard: DataExportDefaultTime hour, day or week', test: early },
  { spec: 'A §3', line: 'Monitoring: thresholds, switches, AutomaticDisableKeywords one a line', test: late },
  { spec: 'A §3', line: 'Quota: for new users, pre-consumed, for inviter and invitee', test: late },
  { spec: 'A §3', line: 'Ratios: GroupRatio, UserUsableGroups, ModelPrice, ModelRatio, CompletionRatio', test: late },
  {
    spec: 'A §3',
    line: 'Ratios: StreamCacheQueueLength',
    test: `${operation} › list options without an area under "more"`,
  },
  { spec: 'A §3', line: 'Model pricing row: name, price, ratio, completionRatio', test: edits },
  { spec: 'A §4', line: 'Disabling password login asks in a warning dialog', test: passwordLogin },
  { spec: 'A §4', line: 'A pricing row with a fixed price disables its ratio fields', test: edits },
  { spec: 'A §5', line: 'Payment needs the server address (请先填写服务器地址)', test: payment },
  { spec: 'A §5', line: 'TopupGroupRatio must be JSON (充值分组倍率不是合法的 JSON 字符串)', test: payment },
  {
    spec: 'A §5',
    line: 'Ratios, prices, groups and Chats must be JSON (不是合法的 JSON 字符串), when the field loses focus',
    test: badJson,
  },
  { spec: 'A §5', line: 'Visual pricing: only numbers (请输入数字), no model twice (模型名称已存在)', test: edits },
  {
    spec: 'A §5',
    line: 'A save with nothing changed (你似乎并没有修改什么)',
    test: `${operation} › report that nothing was changed, and revert unsaved changes on request`,
  },
  { spec: 'A §5', line: 'Log clearing needs a time (请选择日志记录时间)', test: logs },
  {
    spec: 'A §5',
    line: 'ServerAddress, WorkerUrl, PayAddress, WeChatServerAddress lose a trailing slash',
    test: addresses,
  },
  {
    spec: 'A §5',
    line: 'A trailing slash alone is no change',
    test: `${TEXTS} › a trailing slash of an address is removed`,
  },
  {
    spec: 'A §5',
    line: 'GitHub OAuth, WeChat login and Turnstile need their configuration first',
    test: providers,
  },
  {
    spec: 'A §5',
    line: 'The same configuration is not emptied while it is needed',
    test: `${system} › keep the prerequisites of a sign-in method while it is enabled, and clear them together`,
  },
  {
    spec: 'A §6',
    line: 'Tabs operation, system and other: super admin only',
    test: `${OPERATION} › a user other than root › does not see the settings of the platform`,
  },
  { spec: 'A §7', line: 'GET and PUT /api/option/ {key, value as text}, only what was changed', test: early },
  { spec: 'A §7', line: 'POST /api/option/rest_model_ratio', test: reset },
  { spec: 'A §7', line: 'DELETE /api/log/?target_timestamp answers how many', test: logs },
  { spec: 'A §8', line: '部分保存失败，请重试; 保存失败，请重试', test: refused },
  { spec: 'A §8', line: 'Form validation failures: 请检查输入', test: badJson },
  {
    spec: 'A §8',
    line: '保存失败，请重试 when the server cannot be reached',
    test: `${operation} › keep input if the server is unreachable`,
  },
  { spec: 'A §8', line: 'success false: the server message as a toast', test: refused },
  { spec: 'A §8', line: '保存成功', test: early },
  { spec: 'A §8', line: 'n 条日志已清理！', test: logs },
  { spec: 'A §9', line: 'SMTP port default 587', test: secrets },
  { spec: 'A §9', line: 'DataExportInterval at least 1', test: lowest },
  {
    spec: 'A §9',
    line: 'Base price = ratio × 2 per 1M tokens; completion = base × completion ratio (default 0)',
    test: `${PRICES} › a ratio of 1 is 2 dollars for a million prompt tokens; without a completion ratio the completion is 0`,
  },
]
