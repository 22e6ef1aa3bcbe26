import type { TFunction } from 'i18next'
import type { AreaName, LabeledOptionKey, OptionField, SettingsArea } from '../options/area.ts'

export const SYSTEM_AREAS: readonly SettingsArea<LabeledOptionKey>[] = [
  { name: 'server', fields: [{ key: 'ServerAddress', kind: 'address', placeholder: 'https://' }] },
  {
    name: 'worker',
    fields: [
      { key: 'WorkerUrl', kind: 'address', placeholder: 'https://' },
      { key: 'WorkerValidKey', kind: 'secret' },
    ],
  },
  {
    name: 'payment',
    // The payment gateway sends its notices to the server address.
    refuse: ({ ServerAddress }, t) => (ServerAddress ? undefined : t('option.serverAddressFirst')),
    fields: [
      { key: 'PayAddress', kind: 'address', placeholder: 'https://' },
      { key: 'EpayId', kind: 'text' },
      { key: 'EpayKey', kind: 'secret' },
      { key: 'CustomCallbackAddress', kind: 'address', placeholder: 'https://' },
      { key: 'Price', kind: 'number' },
      { key: 'MinTopUp', kind: 'integer', min: 1 },
      { key: 'UnpaidOrdersMax', kind: 'integer' },
      { key: 'TopupGroupRatio', kind: 'json', badJson: (t) => t('option.badTopupRatio') },
    ],
  },
  {
    name: 'login',
    fields: [
      {
        key: 'PasswordLoginEnabled',
        kind: 'switch',
        offQuestion: (t) => ({ title: t('system.passwordLoginOff'), content: t('system.passwordLoginOffHint') }),
      },
      { key: 'PasswordRegisterEnabled', kind: 'switch' },
      { key: 'PasswordLengthMax', kind: 'integer', min: 20 },
      { key: 'PasswordResetUniformReply', kind: 'switch' },
      { key: 'EmailVerificationEnabled', kind: 'switch' },
      { key: 'RegisterEnabled', kind: 'switch' },
    ],
  },
  {
    name: 'whitelist',
    fields: [
      {
        key: 'EmailDomainRestrictionEnabled',
        kind: 'switch',
        needs: { keys: ['EmailDomainWhitelist'], problem: (t) => t('system.needsWhitelist') },
      },
      { key: 'EmailAliasRestrictionEnabled', kind: 'switch' },
      { key: 'EmailDomainWhitelist', kind: 'tags' },
    ],
  },
  {
    name: 'smtp',
    fields: [
      { key: 'SMTPServer', kind: 'text', placeholder: 'smtp.example.com' },
      { key: 'SMTPPort', kind: 'integer', min: 1, placeholder: '587' },
      { key: 'SMTPAccount', kind: 'text' },
      { key: 'SMTPFrom', kind: 'text' },
      { key: 'SMTPToken', kind: 'secret' },
      { key: 'SMTPSSLEnabled', kind: 'switch' },
    ],
  },
  switchedArea('github', 'GitHubOAuthEnabled', (t) => t('system.needsGitHub'), [
    { key: 'GitHubClientId', kind: 'text' },
    { key: 'GitHubClientSecret', kind: 'secret' },
  ]),
  switchedArea('wechat', 'WeChatAuthEnabled', (t) => t('system.needsWeChat'), [
    { key: 'WeChatServerAddress', kind: 'address', placeholder: 'https://' },
    { key: 'WeChatServerToken', kind: 'secret' },
    { key: 'WeChatAccountQRCodeImageURL', kind: 'text', placeholder: 'https://' },
  ]),
  switchedArea('telegram', 'TelegramOAuthEnabled', (t) => t('system.needsTelegram'), [
    { key: 'TelegramBotName', kind: 'text' },
    { key: 'TelegramBotToken', kind: 'secret' },
  ]),
  switchedArea('turnstile', 'TurnstileCheckEnabled', (t) => t('system.needsTurnstile'), [
    { key: 'TurnstileSiteKey', kind: 'secret' },
    { key: 'TurnstileSecretKey', kind: 'secret' },
  ]),
  switchedArea('linuxdo', 'LinuxDOOAuthEnabled', (t) => t('system.needsLinuxDO'), [
    { key: 'LinuxDOClientId', kind: 'text' },
    { key: 'LinuxDOClientSecret', kind: 'secret' },
  ]),
  {
    name: 'oidc',
    fields: [
      {
        key: 'OIDCEnabled',
        kind: 'switch',
        needs: { keys: ['OIDCIssuer', 'OIDCClientId', 'OIDCClientSecret'], problem: (t) => t('system.needsOIDC') },
      },
      { key: 'OIDCIssuer', kind: 'address', placeholder: 'https://' },
      { key: 'OIDCClientId', kind: 'text' },
      { key: 'OIDCClientSecret', kind: 'secret' },
      { key: 'OIDCDisplayName', kind: 'text' },
      { key: 'OIDCScopes', kind: 'text' },
    ],
  },
]

/** Returns an area with a switch, which can be on only if none of the other options of the area is empty. */
function switchedArea(
  name: AreaName,
  key: LabeledOptionKey,
  problem: (t: TFunction) => string,
  fields: OptionField<LabeledOptionKey>[],
): SettingsArea<LabeledOptionKey> {
  const needs = { keys: fields.map((field) => field.key), problem }
  return { name, fields: [{ key, kind: 'switch', needs }, ...fields] }
}
