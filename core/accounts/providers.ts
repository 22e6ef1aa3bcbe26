import type { ErrorCode } from '../errors.ts'

interface ProviderRow {
  /** The column of `users` that holds the identity. */
  readonly column: 'github_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id' | 'oidc_id'
  /** What messages call it. */
  readonly name: string
  /** What somebody without a name there is called here; absent: nobody becomes a user by this provider. */
  readonly newcomer?: string
  /** What is said when it is switched off, and when an account there is somebody's already. */
  readonly disabled: ErrorCode
  readonly taken: ErrorCode
}

/** Who else can say who somebody is: one row each, by the word that stands in paths and in the names of new users. */
export const PROVIDERS = {
  github: {
    column: 'github_id',
    name: 'GitHub',
    newcomer: 'GitHub User',
    disabled: 'PROVIDER_DISABLED',
    taken: 'IDENTITY_TAKEN',
  },
  linuxdo: {
    column: 'linux_do_id',
    name: 'Linux DO',
    newcomer: 'Linux DO User',
    disabled: 'PROVIDER_DISABLED',
    taken: 'IDENTITY_TAKEN',
  },
  // The documented Chinese texts have another name and other words for it.
  wechat: {
    column: 'wechat_id',
    name: 'WeChat',
    newcomer: 'WeChat User',
    disabled: 'WECHAT_DISABLED',
    taken: 'WECHAT_TAKEN',
  },
  telegram: { column: 'telegram_id', name: 'Telegram', disabled: 'PROVIDER_DISABLED', taken: 'IDENTITY_TAKEN' },
  oidc: {
    column: 'oidc_id',
    name: 'OpenID Connect',
    newcomer: 'OpenID User',
    disabled: 'PROVIDER_DISABLED',
    taken: 'IDENTITY_TAKEN',
  },
} as const satisfies Record<string, ProviderRow>

export type Provider = keyof typeof PROVIDERS

export function providerRow(provider: Provider): ProviderRow {
  return PROVIDERS[provider]
}
