import type { CoverageRow } from './row.ts'

const FILE = 'tests/console/browser/personal-settings.test.ts'
const TABS = `${FILE} › the tabs of the settings`
const PERSONAL = `${FILE} › the personal settings`
const BOUND = `${FILE} › bound accounts`
const SECURITY = `${FILE} › security`

const FOUR = `${TABS} › are four for root, and the URL names the open one`
const ALONE = `${TABS} › are reduced to the personal one for role 1, whichever tab the URL names`
const HEADER = `${PERSONAL} › show name, balance, usage and requests`
const MODELS = `${PERSONAL} › list ten usable models and the rest on demand; a click copies one`
const INVITED = `${FILE} › invitations › have a link to copy; earnings of at least one dollar (QuotaPerUnit) can be transferred`
const SHOWN = `${BOUND} › show their id if they are bound, otherwise "not bound" or "not enabled"`
const WECHAT = `${BOUND} › WeChat is bound with the code that the official account sends`
const MAIL = `${BOUND} › an email address is bound with a mailed code, which is sent at most once every 30 seconds`
const TOKEN = `${SECURITY} › an access token is shown once, works, and replaces the previous one`
const PASSWORD = `${SECURITY} › a password changes if both fields agree`
const DELETED = `${SECURITY} › an account is deleted after its name is typed, and its session ends`

/** The settings: their tabs, and the personal one. */
export const rows: CoverageRow[] = [
  { spec: 'A §2', line: '/setting with tab in the query; personal is the default', test: FOUR },
  { spec: 'A §2', line: 'Operation, system and other are for root alone', test: ALONE },
  { spec: 'A §2', line: 'Personal: balance, used quota, request count', test: HEADER },
  { spec: 'A §2', line: 'Personal: invite link', test: INVITED },
  { spec: 'A §2', line: 'Personal: invite earnings with a transfer', test: INVITED },
  { spec: 'A §2', line: 'Personal: binding of email', test: MAIL },
  { spec: 'A §2', line: 'Personal: binding of external accounts', test: SHOWN },
  { spec: 'A §2', line: 'Personal: binding of WeChat', test: WECHAT },
  { spec: 'A §2', line: 'Personal: system access token', test: TOKEN },
  { spec: 'A §2', line: 'Personal: change password', test: PASSWORD },
  { spec: 'A §2', line: 'Personal: delete own account', test: DELETED },
  { spec: 'A §2', line: 'Personal: usable models, ten at first, the rest expandable', test: MODELS },
  { spec: 'A §3', line: 'User: aff_count, aff_quota, aff_history_quota', test: INVITED },
  { spec: 'A §4', line: 'Account self-deletion logs out and goes to /login', test: DELETED },
  { spec: 'A §4', line: 'Email code: the button waits 30 seconds, with a countdown', test: MAIL },
  { spec: 'A §5', line: 'Delete own account: 请输入你的账户名以确认删除！', test: DELETED },
  { spec: 'A §5', line: 'Change password: both must match', test: PASSWORD },
  { spec: 'A §5', line: 'Email bind: 请输入邮箱！', test: MAIL },
  { spec: 'A §5', line: 'Email bind: 请输入邮箱验证码！', test: MAIL },
  { spec: 'A §5', line: 'Transfer: 划转金额最低为 and the minimum', test: INVITED },
  { spec: 'A §6', line: 'Common users: bind, access token, delete, transfer', test: DELETED },
  { spec: 'A §6', line: 'Settings tabs operation, system, other: root alone', test: ALONE },
  { spec: 'A §6', line: 'Root cannot be deleted', test: `${SECURITY} › root cannot delete its own account` },
  { spec: 'A §7', line: 'GET /api/user/self', test: HEADER },
  { spec: 'A §7', line: 'PUT /api/user/self with {password}', test: PASSWORD },
  { spec: 'A §7', line: 'DELETE /api/user/self, GET /api/user/logout', test: DELETED },
  { spec: 'A §7', line: 'GET /api/verification', test: MAIL },
  { spec: 'A §7', line: 'GET /api/user/token', test: TOKEN },
  { spec: 'A §7', line: 'GET /api/user/aff', test: INVITED },
  { spec: 'A §7', line: 'GET /api/user/models', test: MODELS },
  { spec: 'A §7', line: 'POST /api/user/aff_transfer', test: INVITED },
  { spec: 'A §7', line: 'GET /api/oauth/wechat/bind', test: WECHAT },
  { spec: 'A §7', line: 'GET /api/oauth/email/bind', test: MAIL },
  { spec: 'A §7', line: 'Authorize pages open in a new window', test: SHOWN },
  {
    spec: 'A §8',
    line: 'HTTP 500: 错误：服务器内部错误，请联系管理员！',
    test: `${PERSONAL} › can be reloaded after a failure`,
  },
  { spec: 'A §8', line: '验证码发送成功，请检查你的邮箱！', test: MAIL },
  { spec: 'A §8', line: '密码修改成功！', test: PASSWORD },
  { spec: 'A §8', line: 'Form validation failures in a dialog: 请检查输入', test: PASSWORD },
  { spec: 'A §8', line: '账户已删除！', test: DELETED },
  { spec: 'A §9', line: 'Email code cooldown: 30 seconds', test: MAIL },
]
