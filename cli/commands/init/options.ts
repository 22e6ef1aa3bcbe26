/** Flags of `tollgate init`. */
export interface InitOptions {
  rootPassword?: string
  channelType?: string
  channelKey?: string
  channelKeyStdin?: true
  channelName?: string
  channelBaseUrl?: string
  channelModels?: string
  skipChannel?: true
  tokenName?: string
  skipToken?: true
}
