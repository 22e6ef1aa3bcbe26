import type { CoverageRow } from './row.ts'

const LOGIN = 'tests/console/browser/login.test.ts › the login page'
const ROOT = 'tests/console/browser/login.test.ts › root with the default password'
const REGISTER = 'tests/console/browser/register.test.ts › the registration page'
const RESET = 'tests/console/browser/reset.test.ts › a forgotten password'
const CHECK = 'tests/console/browser/bot-check.test.ts › the bot check'
const ELSEWHERE = 'tests/console/browser/oauth.test.ts › an external sign-in'
const BACK = 'tests/console/browser/oauth.test.ts › the callback of a provider'
const WECHAT = 'tests/console/browser/sign-in-buttons.test.ts › WeChat'
const TELEGRAM = "tests/console/browser/sign-in-buttons.test.ts › Telegram's button"
const CALL = 'tests/console/browser/failures.test.ts › a call that fails'
const BLANK = 'tests/console/browser/failures.test.ts › a page is never blank'

const tokens = 'opens the tokens after a login with the right password, and stores the user'
const fields = 'shows each input error at its field, creates the account, and signs it in'
const mailed = 'sends a code by mail if email verification is enabled, at most once every 30 seconds'
const expired = 'is shown if the session expires on any page, and leads back to that page'
const github = 'with GitHub opens a new window, and records the inviter'
const words = 'shows a message, and can be retried'
const asked = 'is reset by mail, at most once every 30 seconds'
const replaced = 'is replaced via the mail, and the new one is copied to the clipboard'
const wechat = 'signs in with the code that the official account sends'
const declined = 'with an error shows its message and opens the settings, which redirect a visitor to the login page'

/** Account entry: login, registration, reset, coming back from a provider, and what goes wrong anywhere. */
export const rows: CoverageRow[] = [
  {
    spec: 'A §2',
    line: 'Login: username or email plus password',
    test: `${LOGIN} › accepts an email address as the name`,
  },
  { spec: 'A §2', line: 'Login: after a password login the user goes to /token', test: `${LOGIN} › ${tokens}` },
  { spec: 'A §2', line: 'Login: expired=true shows 未登录或登录已过期，请重新登录！', test: `${LOGIN} › ${expired}` },
  {
    spec: 'A §2',
    line: 'Login: links to register and to password reset',
    test: `${LOGIN} › requires both fields, with the focus on the missing one`,
  },
  { spec: 'A §2', line: 'Login: button for GitHub, if it is enabled', test: `${ELSEWHERE} › ${github}` },
  {
    spec: 'A §2',
    line: 'Login: button for LinuxDO, if it is enabled',
    test: `${ELSEWHERE} › with LinuxDO sends the client id and the state`,
  },
  {
    spec: 'A §2',
    line: 'Login: no button for a disabled sign-in method',
    test: `${ELSEWHERE} › that is disabled has no button, and loads nothing from other origins`,
  },
  {
    spec: 'A §2',
    line: 'Login: WeChat login by QR code: scan, then enter a code',
    test: `${WECHAT} › ${wechat}`,
  },
  {
    spec: 'A §2',
    line: "Login: Telegram's login widget",
    test: `${TELEGRAM} › signs in the user to whom the Telegram account is bound`,
  },
  {
    spec: 'A §2',
    line: 'Register: username, password, confirm password; link to login',
    test: `${REGISTER} › ${fields}`,
  },
  { spec: 'A §2', line: "Register: the query parameter aff is the inviter's code", test: `${REGISTER} › ${fields}` },
  {
    spec: 'A §2',
    line: 'Register: email field, code field and 获取验证码 button if email verification is enabled',
    test: `${REGISTER} › ${mailed}`,
  },
  {
    spec: 'A §2',
    line: 'Reset request: email field, send button, and a countdown of 30 seconds before a retry (重试 (n))',
    test: `${RESET} › ${asked}`,
  },
  { spec: 'A §2', line: 'Reset request: Turnstile, if it is enabled', test: `${CHECK} › also delays /reset` },
  {
    spec: 'A §2',
    line: 'Reset confirm: email and token of the query; shows the new password and copies it',
    test: `${RESET} › ${replaced}`,
  },
  {
    spec: 'A §2',
    line: 'Not found: 页面不存在, asks to check the address',
    test: `${BLANK} › if its URL is wrong`,
  },
  {
    spec: 'A §2',
    line: 'Protected routes lead to /login when no user is stored',
    test: 'tests/console/browser/every-screen.test.ts › a visitor › is redirected to the login page from every protected screen, and from no other',
  },
  {
    spec: 'A §4',
    line: 'Login: the user is stored, and the id is sent in a header on later calls',
    test: `${LOGIN} › ${tokens}`,
  },
  {
    spec: 'A §4',
    line: 'Default root credentials: 您正在使用默认密码！ 请立刻修改默认密码！',
    test: `${ROOT} › is asked to change it immediately, with a link`,
  },
  {
    spec: 'A §4',
    line: 'Email code: the button is disabled for 30 seconds with a countdown',
    test: `${REGISTER} › ${mailed}`,
  },
  { spec: 'A §4', line: 'Reset request: the same cooldown of 30 seconds', test: `${RESET} › ${asked}` },
  {
    spec: 'A §4',
    line: 'A WeChat code is valid for three minutes: 请使用微信扫描二维码关注公众号，输入「验证码」获取验证码（三分钟内有效）',
    test: `${WECHAT} › ${wechat}`,
  },
  { spec: 'A §5', line: 'Register: 密码长度不得小于 8 位！ (hint 8 to 20)', test: `${REGISTER} › ${fields}` },
  { spec: 'A §5', line: 'Register: 两次输入的密码不一致', test: `${REGISTER} › ${fields}` },
  {
    spec: 'A §5',
    line: 'Register: username and password required (请输入用户名和密码！)',
    test: `${REGISTER} › ${fields}`,
  },
  { spec: 'A §5', line: 'Register: username up to 12, password up to 20', test: `${REGISTER} › ${fields}` },
  {
    spec: 'A §5',
    line: 'Register, bot check: 请稍后几秒重试，Turnstile 正在检查用户环境！',
    test: `${CHECK} › also delays /register`,
  },
  {
    spec: 'A §5',
    line: 'Login: both fields required (请输入用户名和密码！)',
    test: `${LOGIN} › requires both fields, with the focus on the missing one`,
  },
  {
    spec: 'A §7',
    line: 'POST /api/user/login?turnstile {username, password}',
    test: `${CHECK} › delays a login until it passes, and is reset after each`,
  },
  {
    spec: 'A §7',
    line: 'POST /api/user/register with password2, email, verification_code, aff_code',
    test: `${REGISTER} › ${mailed}`,
  },
  { spec: 'A §7', line: 'GET /api/verification sends a code', test: `${REGISTER} › ${mailed}` },
  { spec: 'A §7', line: 'GET /api/reset_password sends a mail', test: `${RESET} › ${asked}` },
  {
    spec: 'A §7',
    line: 'POST /api/user/reset {email, token}, data is the new password',
    test: `${RESET} › ${replaced}`,
  },
  { spec: 'A §7', line: 'GET /api/oauth/state with aff, data is the state', test: `${ELSEWHERE} › ${github}` },
  { spec: 'A §7', line: 'GET /api/oauth/wechat with the code', test: `${WECHAT} › ${wechat}` },
  {
    spec: 'A §7',
    line: 'GET /api/oauth/telegram/login with what the widget has signed',
    test: `${TELEGRAM} › signs in the user to whom the Telegram account is bound`,
  },
  { spec: 'A §7', line: 'GET /api/oauth/telegram/bind', test: `${TELEGRAM} › binds the account to the signed-in user` },
  {
    spec: 'beyond',
    line: 'What Telegram sends back must have begun in this browser: otherwise nothing is bound, and no user is signed in',
    test: `${TELEGRAM} › must have started in this browser, or its callback does nothing`,
  },
  {
    spec: 'A §7',
    line: 'Authorize pages open in a new window with client id and state',
    test: `${ELSEWHERE} › ${github}`,
  },
  {
    spec: 'A §7',
    line: "Telegram's login widget is an external script",
    test: `${TELEGRAM} › reports that its script failed to load`,
  },
  {
    spec: 'A §8',
    line: '401: to /login?expired=true, also from pages that anyone may open',
    test: `${CALL} › shows 401 of an ended session, also on a public page`,
  },
  { spec: 'A §8', line: '429: 错误：请求次数过多，请稍后再试！', test: `${CALL} › ${words}` },
  { spec: 'A §8', line: '500: 错误：服务器内部错误，请联系管理员！', test: `${CALL} › ${words}` },
  { spec: 'A §8', line: '405: 本站仅作演示之用，无服务端！', test: `${CALL} › ${words}` },
  { spec: 'A §8', line: 'Any other status: 错误： and the message', test: `${CALL} › ${words}` },
  { spec: 'A §8', line: 'success false: the message as an error toast', test: `${CALL} › ${words}` },
  {
    spec: 'A §8',
    line: 'Clipboard: dialog 无法复制到剪贴板，请手动复制 with the text',
    test: `${RESET} › is shown in a dialog if the clipboard is denied`,
  },
  {
    spec: 'A §8',
    line: 'Server: username or password incorrect or user banned',
    test: `${LOGIN} › reports a wrong password, and keeps the name`,
  },
  {
    spec: 'A §8',
    line: 'Server: new registration disabled',
    test: `${REGISTER} › shows why the server accepts no registrations`,
  },
  { spec: 'A §8', line: 'Server: verification code incorrect or expired', test: `${REGISTER} › ${mailed}` },
  {
    spec: 'A §8',
    line: 'Server: email not registered; reset link invalid or expired',
    test: `${RESET} › is not replaced for an unknown address, nor by an invalid link`,
  },
  {
    spec: 'A §8',
    line: 'Server: bot-check token failed',
    test: `${CHECK} › delays a login until it passes, and is reset after each`,
  },
  {
    spec: 'A §8',
    line: 'Server: unable to save session',
    test: `${ELSEWHERE} › reports why it cannot start, and leaves no window open`,
  },
  { spec: 'A §8', line: 'Toasts: 登录成功！', test: `${LOGIN} › ${tokens}` },
  { spec: 'A §8', line: 'Toasts: 注册成功！', test: `${REGISTER} › ${fields}` },
  { spec: 'A §8', line: 'Toasts: 验证码发送成功，请检查你的邮箱！', test: `${REGISTER} › ${mailed}` },
  {
    spec: 'B §2',
    line: '/login, /register, /reset: account entry without a guard',
    test: 'tests/console/browser/every-screen.test.ts › a visitor › is redirected to the login page from every protected screen, and from no other',
  },
  {
    spec: 'B §2',
    line: '/oauth/github, /oauth/linuxdo: sign-in callback pages',
    test: `${ELSEWHERE} › with LinuxDO sends the client id and the state`,
  },
  { spec: 'B §2', line: '*: not found', test: `${BLANK} › if its URL is wrong` },
  {
    spec: 'B §4',
    line: 'OAuth callback, message bind: the account is bound, on to /setting',
    test: `${BACK} › binds the account to the signed-in user, and opens the settings`,
  },
  { spec: 'B §4', line: 'OAuth callback, else: the user is logged in, on to /token', test: `${ELSEWHERE} › ${github}` },
  {
    spec: 'B §7',
    line: 'GET /api/oauth/{type}?code&state',
    test: `${BACK} › binds the account to the signed-in user, and opens the settings`,
  },
  {
    spec: 'B §8',
    line: 'OAuth failure: the message, 操作失败，重定向至登录界面中..., on to /setting',
    test: `${BACK} › ${declined}`,
  },
]
