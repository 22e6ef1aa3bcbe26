import type { Catalogue } from '../../texts.ts'

/** `tollgate account` */
export const accountTexts: Catalogue = {
  'Account:': '账号：',
  'Your account': '您自己的账号',
  'Show the current user and gateway': '显示当前用户和网关',
  'Change your username, display name or mail language': '修改您的名称或发给您的邮件的语言',
  'language of emails to you; your next sign-in overwrites it': '发给您的邮件的语言；下次登录时会重新设置',
  'Set your password, and end your sessions and access token; local database only':
    '设置您的密码；浏览器会退出登录，访问令牌失效。只能在数据库所在的机器上使用',
  'To change it, sign in at {0}/setting, or request a link: tollgate account reset-password':
    '要修改密码，请在 {0}/setting 登录，或发送重置链接：tollgate account reset-password',
  'also delete all your tokens (API keys)': '同时删除该账号的所有 API 密钥',
  'Also delete your tokens (API keys)?': '是否同时删除您的 API 密钥？',
  'read your current password from stdin (default: prompt)': '从标准输入读取您的当前密码（默认：询问）',
  'Current password': '当前密码',
  'Print your access token for the management API': '显示您用于管理 API 的访问令牌',
  'List the sign-in methods linked to your account': '列出您账号绑定的登录方式',
  'Show your invite code, link and earnings': '显示您的邀请码、链接及收益',
  'Register an account, if the gateway allows it; needs no sign-in': '为自己注册账号（网关需开放注册）；无需登录',
  'Send a code to an email address; with --code, link the address to your account':
    '发送验证邮箱的验证码，或用 --code 绑定该邮箱',
  'Send a password reset link; with its token, get a new password; needs no sign-in':
    '发送重置密码的链接，或用其中的令牌取得新密码；无需登录',
  'Delete your account permanently; its API keys and sessions stop working':
    '删除您自己的账号：API 密钥和会话失效，无法撤销',
  'create a new access token, and revoke the current one': '生成新的；原来的立即失效',
  'username, 1 to 12 characters': '用户名，1 至 12 个字符',
  'your email address, if the gateway requires one': '您的邮箱（网关要求时）',
  'code sent by account verify-email': 'account verify-email 发送到该邮箱的验证码',
  'code from the email; needs sign-in and, on a server, your password':
    '发送到该邮箱的验证码；需要登录，对服务器操作时还需要您的密码',
  'invite code': '邀请码',
  'email address of the account (default: prompt)': '账号的邮箱（默认：询问）',
  'token or whole link from the email; prints the new password': '邮件链接中的令牌，或整个链接：显示新密码',
  'read the token from stdin': '从标准输入读取令牌',
  'nothing to change: pass --username, --display-name or --mail-language':
    '请给出要修改的内容：--username、--display-name 或 --mail-language',
  'pass either --token or --token-stdin, not both': '--token 与 --token-stdin 只能给出一个',
  'Updated your account: username {0}, display name {1}.': '您的用户名为 {0}，显示为 {1}。',
  'Changed your password.': '您的密码已修改。',
  'Create a new access token? The current one stops working everywhere.':
    '生成新的访问令牌？使用当前令牌的脚本和其他机器此后会被拒绝。',
  'Created account {0}.': '已注册账号 {0}。',
  'Sign in: tollgate login {0}': '请登录：tollgate login {0}',
  'Changed your email address to {0}.': '{0} 现在是您的邮箱。',
  'Sent a code to {0}. It is valid for a few minutes.': '验证码已发送到 {0}，几分钟内有效。',
  'Sent a link to {0}. Pass its token with --token to get a new password.':
    '链接已发送到 {0}。用 --token 给出其中的令牌即可取得新密码。',
  'New password, shown only once:': '新密码仅显示这一次：',
  'Type {0} to delete your account permanently': '输入 {0} 以永久删除您的账号',
  'Email address': '邮箱',
  gateway: '网关',
  profile: '配置',
  provider: '提供方',
  account: '账号',
  code: '代码',
  link: '链接',
  'to be moved': '待划转',
  'earned in all': '累计收益',
}
