import { ApiError } from '../../api/client.ts'
import { bindTelegram, CODE_PROVIDERS, type CodeProvider, finishSignIn, loginByTelegram } from '../../api/sign-in.ts'
import { signedByTelegram, takeTelegramState } from '../../components/sign-in/telegram-state.ts'
import { type SessionUser, session } from '../../session.ts'

export type Provider = CodeProvider | 'telegram'

export const isProvider = (name: string): name is Provider =>
  name === 'telegram' || CODE_PROVIDERS.some((provider) => provider === name)

/** Hands over what a provider sent back. Answers who is signed in now; nobody when an account was bound instead. */
export async function handOver({ provider, query }: { provider: Provider; query: URLSearchParams }) {
  return provider === 'telegram'
    ? handOverTelegram(signedByTelegram(query))
    : handOverCode(provider, Object.fromEntries(query))
}

/** Telegram signs nothing that says where a sign-in began, so that is asked here; of the others the server asks it. */
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
