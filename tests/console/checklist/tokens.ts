import type { CoverageRow } from './row.ts'

const BROWSER = 'tests/console/browser/tokens.test.ts'
const FORM = 'tests/console/pages/tokens/token-form.test.ts'
const LINKS = 'tests/console/chat-links.test.ts'
const CHECKED = `${BROWSER} › new tokens › are validated`
const MADE = `${BROWSER} › new tokens › are created with the chosen budget and expiry, and their keys are shown`
const LIMITED = `${BROWSER} › new tokens › can be limited to models, addresses and a group, whose ratio is shown`
const FOUND = `${BROWSER} › many tokens › are filtered by name or key, and the URL keeps the filter`
const TOGETHER = `${BROWSER} › many tokens › are copied together if some are selected`
const PAGES = `${BROWSER} › many tokens › have pages with a stored size, and the last page may disappear`
const COPIED = `${BROWSER} › a token in the list › can be copied, shown, and used in a shell snippet`
const TOGGLED = `${BROWSER} › a token in the list › is disabled immediately, and re-enabled if the server rejects it`
const DELETED = `${BROWSER} › a token in the list › is deleted after confirmation, by keyboard as well`
const CHAT = `${BROWSER} › a token in the list › opens in a chat application, with its key and the server address`
const ENABLED_AGAIN = `${BROWSER} › an edit › that removes the cause enables an exhausted token again`

export const rows: CoverageRow[] = [
  { spec: 'B §2', line: 'Tokens: search by name and key', test: FOUND },
  { spec: 'B §2', line: 'Tokens: add button, create drawer', test: MADE },
  { spec: 'B §2', line: 'Tokens: copy selected', test: TOGETHER },
  {
    spec: 'B §2',
    line: 'Tokens: edit drawer',
    test: `${BROWSER} › an edit › saves changed fields, but not the quota spent meanwhile`,
  },
  { spec: 'B §2', line: 'Tokens: keys display with the prefix sk-', test: COPIED },
  {
    spec: 'B §2',
    line: 'Embedded chat: {address} and {key} of the configured link are replaced',
    test: `${LINKS} › the address of a chat application › replaces every placeholder of the template`,
  },
  { spec: 'B §3', line: 'Token: name, remain_quota, unlimited_quota, expired_time (-1 never), status', test: MADE },
  {
    spec: 'B §3',
    line: 'Token: model_limits_enabled, model_limits (comma string), allow_ips (one per line), group',
    test: LIMITED,
  },
  { spec: 'B §3', line: 'Group option: desc and ratio', test: LIMITED },
  { spec: 'B §4', line: 'Token status 1 enabled, also when model limits apply', test: LIMITED },
  { spec: 'B §4', line: 'Token status 2 disabled', test: TOGGLED },
  { spec: 'B §4', line: 'Token status 3 expired, 4 exhausted', test: ENABLED_AGAIN },
  { spec: 'B §4', line: 'The user toggles only between 1 and 2', test: TOGGLED },
  { spec: 'B §5', line: 'Token: name required on create', test: CHECKED },
  { spec: 'B §5', line: 'Token: expiry must parse as a date, else 过期时间格式错误！', test: CHECKED },
  { spec: 'B §5', line: 'Token: quota is an integer', test: MADE },
  { spec: 'B §5', line: 'Token: create count is a positive integer', test: CHECKED },
  {
    spec: 'B §5',
    line: 'Token: extra names get a dash and a 6-character random suffix',
    test: `${FORM} › the names of several tokens › are the name, and the name with a dash and six characters`,
  },
  { spec: 'B §5', line: 'Copy selected with none: 请至少选择一个令牌！', test: TOGETHER },
  { spec: 'B §7', line: 'GET /api/token/?p&size (by its page with the total, GET /api/token/page)', test: PAGES },
  {
    spec: 'B §7',
    line: 'GET /api/token/search?keyword&token (with a key by POST /api/token/find, which leaves it out of addresses and logs)',
    test: FOUND,
  },
  {
    spec: 'B §7',
    line: 'GET /api/token/{id} and PUT /api/token/ with id',
    test: `${BROWSER} › an edit › saves changed fields, but not the quota spent meanwhile`,
  },
  { spec: 'B §7', line: 'POST /api/token/', test: MADE },
  { spec: 'B §7', line: 'PUT /api/token/?status_only=true {id, status}', test: TOGGLED },
  { spec: 'B §7', line: 'DELETE /api/token/{id}/', test: DELETED },
  { spec: 'B §7', line: 'GET /api/user/models: usable model names', test: LIMITED },
  { spec: 'B §7', line: 'GET /api/user/self/groups: group to desc and ratio', test: LIMITED },
  { spec: 'B §8', line: 'success false: the server message is an error toast', test: TOGGLED },
  { spec: 'B §8', line: 'Chat: 聊天链接配置错误，请联系管理员', test: CHAT },
  { spec: 'B §8', line: 'Chat without a link: 请联系管理员配置聊天链接', test: CHAT },
  {
    spec: 'B §8',
    line: 'Chat data that cannot be parsed: 聊天数据解析失败',
    test: `${BROWSER} › a token in the list › cannot be opened in a chat application while the list of applications cannot be read`,
  },
  { spec: 'B §8', line: 'Clipboard failure: dialog 无法复制到剪贴板，请手动复制 with the text', test: COPIED },
  { spec: 'B §9', line: 'Page sizes 10, 20, 50, 100; the chosen one is kept locally', test: PAGES },
  { spec: 'B §9', line: 'Token quota presets $1, $10, $50, $100, $500, $1000', test: MADE },
  { spec: 'B §9', line: 'Default token quota 500000', test: MADE },
  { spec: 'B §9', line: 'Token batch count presets 10, 20, 30, 100', test: `${BROWSER} › new tokens › are validated` },
  { spec: 'B §9', line: 'Expiry shortcuts: never, one hour, one day, one month (30 days)', test: MADE },
  { spec: 'B §9', line: 'Token keys display with prefix sk-', test: COPIED },
  {
    spec: 'B §9',
    line: 'Token changes take a few minutes to take effect',
    test: 'not built: here a change is in force within a second, and a note of minutes would be untrue',
  },
]
