import type { Logger } from 'pino'
import type { Operation } from '../../../core/channels/routing/operations.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Ready } from '../../../core/ready.ts'
import type { SensitiveHit } from '../../../core/sensitive/sensitive.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Caller } from './authenticate.ts'

/** The caller and the request, for the log. */
interface SensitiveContext {
  readonly requestId: string
  readonly caller: Pick<Caller, 'user' | 'token'>
  readonly group: string
  readonly model: string
  readonly operation?: Operation
}

interface SensitiveParts {
  readonly toolkit: Pick<LocalToolkit, 'sensitiveWords'>
  readonly logger: Pick<Logger, 'warn' | 'error'>
}

/** The error codes that clients of some operations expect. */
const CODES: Partial<Record<Operation, string>> = {
  images: 'invalid_image_request',
  'image-edits': 'invalid_image_request',
  'image-variations': 'invalid_image_request',
  speech: 'invalid_audio_request',
}
/**
 * Maximum UTF-16 units to search at once. Longer texts are searched in slices, so that other requests run in between.
 */
const LENGTH_AT_ONCE_MAX = 64 * 1024

/**
 * Rejects with SENSITIVE_WORDS if a text contains a forbidden word. Logs the words, but never sends them to the client.
 * Must run before anything is sent to an upstream. Calls `texts` only if the search is enabled.
 */
export function refuseSensitive(
  { toolkit, logger }: SensitiveParts,
  readContext: () => SensitiveContext,
  texts: () => readonly string[],
): Ready<void> {
  const { sensitiveWords } = toolkit
  if (!sensitiveWords.isActive()) return undefined
  const textsToSearch = texts()
  const length = textsToSearch.reduce((sum, text) => sum + text.length, 0)
  const refuse = async (words: readonly string[]): Promise<never> => {
    const context = readContext()
    await recordHit({ toolkit, logger }, context, words)
    throw sensitiveRefusal(context.operation)
  }
  if (length > LENGTH_AT_ONCE_MAX) {
    return sensitiveWords.findInTurns(textsToSearch).then((words) => (words.length > 0 ? refuse(words) : undefined))
  }
  const words = sensitiveWords.find(textsToSearch)
  return words.length > 0 ? refuse(words) : undefined
}

/**
 * Searches one event of a session for forbidden words. Returns the error instead of throwing it, because the session
 * continues. Logs the words in the background.
 */
export function findSensitive(
  { toolkit, logger }: SensitiveParts,
  context: SensitiveContext,
  texts: () => readonly string[],
): GatewayError | undefined {
  const { sensitiveWords } = toolkit
  if (!sensitiveWords.isActive()) return undefined
  const words = sensitiveWords.find(texts())
  if (words.length === 0) return undefined
  void recordHit({ toolkit, logger }, context, words)
  return sensitiveRefusal(context.operation)
}

function sensitiveRefusal(operation: Operation | undefined): GatewayError {
  const code = operation && CODES[operation]
  return new GatewayError('SENSITIVE_WORDS', code === undefined ? {} : { code })
}

/**
 * Logs and stores the found words. If storing fails, only logs this failure, so that the client still gets
 * SENSITIVE_WORDS.
 */
async function recordHit(
  { toolkit, logger }: SensitiveParts,
  { requestId, caller: { user, token }, group, model }: SensitiveContext,
  words: readonly string[],
): Promise<void> {
  const hit: SensitiveHit = {
    requestId,
    userId: user.id,
    username: user.username,
    tokenId: token.id,
    tokenName: token.name,
    group,
    model,
    words,
  }
  logger.warn({ requestId, userId: user.id, tokenId: token.id, model, words }, 'sensitive words refused')
  try {
    await toolkit.sensitiveWords.record(hit)
  } catch (err) {
    logger.error({ requestId, err }, 'a refusal for sensitive words was not recorded')
  }
}
