import type { Catalogue } from '../../texts.ts'

/** `tollgate account` */
export const accountTexts: Catalogue = {
  'You:': '您：',
  'Your own account': '您自己的账号',
  'Show whom you act for, and at which gateway': '显示您以谁的身份、对哪个网关操作',
  'Change your names, or the language of mails to you': '修改您的名称或发给您的邮件的语言',
  'language of mails to you; the next sign-in sets it again': '发给您的邮件的语言；下次登录时会重新设置',
  'Set your password; browsers are signed out, your access token is void. Only on the machine of the database':
    '设置您的密码；浏览器会退出登录，访问令牌失效。只能在数据库所在的机器上使用',
  'To change it, sign in at {0}/setting, or have a link mailed: tollgate account reset-password':
    '要修改密码，请在 {0}/setting 登录，或发送重置链接：tollgate account reset-password',
  'delete all API keys of the account, too': '同时删除该账号的所有 API 密钥',
  'Delete your API keys, too?': '是否同时删除您的 API 密钥？',
  'read your current password from stdin (default: asked for)': '从标准输入读取您的当前密码（默认：询问）',
  'Current password': '当前密码',
  'Print your access token for the management API': '显示您用于管理 API 的访问令牌',
  'Show what you can sign in with besides your password': '显示除密码外您还可以用什么登录',
  'Show your invite code, its link, and what it has earned': '显示您的邀请码、链接及收益',
  'Make an account for yourself, where the gateway lets anybody; needs no sign-in':
    '为自己注册账号（网关需开放注册）；无需登录',
  'Have a code mailed that proves an address, or with --code make the address yours':
    '发送验证邮箱的验证码，或用 --code 绑定该邮箱',
  'Have a link mailed for a new password, or with its token get one; needs no sign-in':
    '发送重置密码的链接，或用其中的令牌取得新密码；无需登录',
  'Delete your own account: API keys and sessions end, and there is no way back':
    '删除您自己的账号：API 密钥和会话失效，无法撤销',
  'make a new one; the one before is void at once': '生成新的；原来的立即失效',
  'what you will sign in with, 1 to 12 characters': '您登录用的名称，1 至 12 个字符',
  'your mail address, where the gateway asks for one': '您的邮箱（网关要求时）',
  'the code that account verify-email had mailed there': 'account verify-email 发送到该邮箱的验证码',
  'the code that was mailed there; needs sign-in, and at a server your password':
    '发送到该邮箱的验证码；需要登录，对服务器操作时还需要您的密码',
  'invite code of who brought you': '邀请您的人的邀请码',
  'mail address of the account (default: asked for)': '账号的邮箱（默认：询问）',
  'token of the link that was mailed, or the whole link: prints the new password':
    '邮件链接中的令牌，或整个链接：显示新密码',
  'read the token from stdin': '从标准输入读取令牌',
  'give something to change: --username, --display-name or --mail-language':
    '请给出要修改的内容：--username、--display-name 或 --mail-language',
  'give either --token or --token-stdin, not both': '--token 与 --token-stdin 只能给出一个',
  'You are {0}, shown as {1}.': '您的用户名为 {0}，显示为 {1}。',
  'Your password is changed.': '您的密码已修改。',
  'Make a new access token? Scripts and other machines that use the one of now are refused from then on.':
    '生成新的访问令牌？使用当前令牌的脚本和其他机器此后会被拒绝。',
  'Made the account {0}.': '已注册账号 {0}。',
  'Sign in with: tollgate login {0}': '请登录：tollgate login {0}',
  '{0} is your mail address now.': '{0} 现在是您的邮箱。',
  'A code was mailed to {0}. It is good for a few minutes.': '验证码已发送到 {0}，几分钟内有效。',
  'A link was mailed to {0}. Its token, given with --token, makes a new password.':
    '链接已发送到 {0}。用 --token 给出其中的令牌即可取得新密码。',
  'The new password, shown only now:': '新密码仅显示这一次：',
  'Type {0} to delete your account for ever': '输入 {0} 以永久删除您的账号',
  'Mail address': '邮箱',
  gateway: '网关',
  profile: '配置',
  provider: '提供方',
  account: '账号',
  code: '代码',
  link: '链接',
  'to be moved': '待划转',
  'earned in all': '累计收益',
}
