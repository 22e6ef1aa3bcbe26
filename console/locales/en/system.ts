import type { system as zh } from '../zh/system.ts'

export const system: typeof zh = {
  passwordLoginOff: 'Warning',
  passwordLoginOffHint:
    'Without password login, everybody who has not bound another way to log in is locked out, administrators included. Switch it off?',
  needsGitHub: 'GitHub OAuth cannot be enabled: fill in the GitHub Client ID and the GitHub Client Secret first!',
  needsLinuxDO: 'LinuxDO OAuth cannot be enabled: fill in the LinuxDO Client ID and the LinuxDO Client Secret first!',
  needsWeChat: 'WeChat login cannot be enabled: fill in its settings first!',
  needsTelegram: 'Telegram login cannot be enabled: fill in the bot token and the bot name first!',
  needsTurnstile: 'The Turnstile check cannot be enabled: fill in its settings first!',
  needsOIDC: 'OIDC login cannot be enabled: fill in the issuer, the Client ID and the Client Secret first!',
  needsWhitelist: 'Email domains cannot be restricted: fill in the accepted domains first!',
}
