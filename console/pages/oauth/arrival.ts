import { ApiError } from '../../api/client.ts'
import { bindTelegram, CODE_PROVIDERS, type CodeProvider, finishSignIn, loginByTelegram } from '../../api/sign-in.ts'
import { signedByTelegram, takeTelegramState } from '../../components/sign-in/telegram-state.ts'
import { type SessionUser, session } from '../../session.ts'

export type Provider = CodeProvider | 'telegram'

export const isProvider = (name: string): name is Provider =>
  name === 'telegram' || CODE_PROVIDERS.some((provider) => provider === name)

/** Sends the provider's callback parameters to the server. Returns the signed-in user; undefined if an account was bound instead. */
export async function handOver({ provider, query }: { provider: Provider; query: URLSearchParams }) {
  return provider === 'telegram'
    ? handOverTelegram(signedByTelegram(query))
    : handOverCode(provider, Object.fromEntries(query))
}

/** Telegram's data has no proof of where a sign-in began, so it is checked here; the server checks the other providers. */
export const beganHere = (provider: Provider, query: URLSearchParams): boolean =>
  provider !== 'telegram' || takeTelegramState(query)

async function handOverCode(provider: CodeProvider, sent: Record<string, string>): Promise<SessionUser | undefined> {
  const { message, data } = await finishSignIn(provider, sent)
  if (message === 'bind') return undefined
  if (!data) throw new ApiError('unreadable')
  return data
}

async function handOverTelegram(sent: Record<string, string>): Promise<SessionUser | undefined> {
  if (!session.get().user) return loginByTelegram(sent)
  await bindTelegram(sent)
  return undefined
}
