import type { ErrorCode } from '../errors.ts'

interface ProviderInfo {
  /** The column of `users` that stores the identity. */
  readonly column: 'github_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id' | 'oidc_id'
  /** Name used in messages. */
  readonly name: string
  /** Display name of users without a name at the provider. Absent if sign-ins with the provider create no users. */
  readonly defaultDisplayName?: string
  /** Error if the provider is disabled. */
  readonly disabled: ErrorCode
  /** Error if the identity is bound to another user. */
  readonly taken: ErrorCode
}

const COMMON_ERRORS = { disabled: 'PROVIDER_DISABLED', taken: 'IDENTITY_TAKEN' } as const

/** The identity providers. The key appears in paths (`/api/oauth/github`) and in generated usernames (`github_17`). */
const IDENTITY_PROVIDERS = {
  github: { ...COMMON_ERRORS, column: 'github_id', name: 'GitHub', defaultDisplayName: 'GitHub User' },
  linuxdo: { ...COMMON_ERRORS, column: 'linux_do_id', name: 'Linux DO', defaultDisplayName: 'Linux DO User' },
  // WeChat has its own error codes, because its Chinese messages differ in more than the name (微信, 账号 instead of 账户).
  wechat: {
    column: 'wechat_id',
    name: 'WeChat',
    defaultDisplayName: 'WeChat User',
    disabled: 'WECHAT_DISABLED',
    taken: 'WECHAT_TAKEN',
  },
  telegram: { ...COMMON_ERRORS, column: 'telegram_id', name: 'Telegram' },
  oidc: { ...COMMON_ERRORS, column: 'oidc_id', name: 'OpenID Connect', defaultDisplayName: 'OpenID User' },
} as const satisfies Record<string, ProviderInfo>

export type IdentityProvider = keyof typeof IDENTITY_PROVIDERS

export function providerInfo(provider: IdentityProvider): ProviderInfo {
  return IDENTITY_PROVIDERS[provider]
}
