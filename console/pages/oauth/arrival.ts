import { ApiError } from '../../api/client.ts'
import {
  bindTelegram,
  CODE_PROVIDERS,
  type CodeProviderName,
  finishSignIn,
  loginByTelegram,
} from '../../api/sign-in.ts'
import { signedByTelegram, takeTelegramState } from '../../components/sign-in/telegram-state.ts'
import { type SessionUser, session } from '../../session.ts'

export type ArrivalProvider = CodeProviderName | 'telegram'

export const isProvider = (name: string): name is ArrivalProvider =>
  name === 'telegram' || CODE_PROVIDERS.some((provider) => provider === name)

/** Sends the provider's callback parameters to the server. Returns the user; undefined if an account was bound. */
export async function submitArrival({ provider, query }: { provider: ArrivalProvider; query: URLSearchParams }) {
  return provider === 'telegram'
    ? submitTelegram(signedByTelegram(query))
    : submitCode(provider, Object.fromEntries(query))
}

/**
 * Returns whether the sign-in began in this browser. For Telegram, whose data does not prove this, checks and removes
 * the stored state. For other providers, returns true, because the server checks their callbacks.
 */
export const startedHere = (provider: ArrivalProvider, query: URLSearchParams): boolean =>
  provider !== 'telegram' || takeTelegramState(query)

async function submitCode(
  provider: CodeProviderName,
  parameters: Record<string, string>,
): Promise<SessionUser | undefined> {
  const { message, data } = await finishSignIn(provider, parameters)
  if (message === 'bind') return undefined
  if (!data) throw new ApiError('unreadable')
  return data
}

async function submitTelegram(parameters: Record<string, string>): Promise<SessionUser | undefined> {
  if (!session.get().user) return loginByTelegram(parameters)
  await bindTelegram(parameters)
  return undefined
}
