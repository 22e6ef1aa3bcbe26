export const system = {
  passwordLoginOff: '警告',
  passwordLoginOffHint: '取消密码登录将导致所有未绑定其他登录方式的用户（包括管理员）无法通过密码登录，确认取消？',
  needsGitHub: '无法启用 GitHub OAuth，请先填入 GitHub Client Id 以及 GitHub Client Secret！',
  needsLinuxDO: '无法启用 LinuxDO OAuth，请先填入 LinuxDO Client Id 以及 LinuxDO Client Secret！',
  needsWeChat: '无法启用微信登录，请先填入微信登录相关配置信息！',
  needsTelegram: '无法启用 Telegram 登录，请先填入 Telegram Bot Token 以及 Telegram Bot 名称！',
  needsTurnstile: '无法启用 Turnstile 校验，请先填入 Turnstile 校验相关配置信息！',
  needsOIDC: '无法启用 OIDC 登录，请先填入 OIDC Issuer 地址、Client ID 以及 Client Secret！',
  needsWhitelist: '无法启用邮箱域名限制，请先填入限制的邮箱域名！',
}
