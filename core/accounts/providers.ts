import type { ErrorCode } from '../errors.ts'

interface ProviderRow {
  /** The column of `users` that stores the identity. */
  readonly column: 'github_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id' | 'oidc_id'
  /** Name used in messages. */
  readonly name: string
  /** Display name of new users without a name at the provider. Absent if the provider may not create users. */
  readonly defaultDisplayName?: string
  /** Error if the provider is disabled. */
  readonly disabled: ErrorCode
  /** Error if the identity is bound to another user. */
  readonly taken: ErrorCode
}

/** The identity providers, by the word used in paths and in names of new users. */
const IDENTITY_PROVIDERS = {
  github: {
    column: 'github_id',
    name: 'GitHub',
    defaultDisplayName: 'GitHub User',
    disabled: 'PROVIDER_DISABLED',
    taken: 'IDENTITY_TAKEN',
  },
  linuxdo: {
    column: 'linux_do_id',
    name: 'Linux DO',
    defaultDisplayName: 'Linux DO User',
    disabled: 'PROVIDER_DISABLED',
    taken: 'IDENTITY_TAKEN',
  },
  // The documented Chinese texts use another name and wording for WeChat.
  wechat: {
    column: 'wechat_id',
    name: 'WeChat',
    defaultDisplayName: 'WeChat User',
    disabled: 'WECHAT_DISABLED',
    taken: 'WECHAT_TAKEN',
  },
  telegram: { column: 'telegram_id', name: 'Telegram', disabled: 'PROVIDER_DISABLED', taken: 'IDENTITY_TAKEN' },
  oidc: {
    column: 'oidc_id',
    name: 'OpenID Connect',
    defaultDisplayName: 'OpenID User',
    disabled: 'PROVIDER_DISABLED',
    taken: 'IDENTITY_TAKEN',
  },
} as const satisfies Record<string, ProviderRow>

export type IdentityProvider = keyof typeof IDENTITY_PROVIDERS

export function providerRow(provider: IdentityProvider): ProviderRow {
  return IDENTITY_PROVIDERS[provider]
}
