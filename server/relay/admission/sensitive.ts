import type { Logger } from 'pino'
import type { Operation } from '../../../core/channels/operations.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Ready } from '../../../core/ready.ts'
import type { SensitiveHit } from '../../../core/sensitive/sensitive.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Caller } from './authenticate.ts'

/** Who asks for what, for the log. */
export interface Asking {
  readonly requestId: string
  readonly caller: Pick<Caller, 'user' | 'token'>
  readonly group: string
  readonly model: string
  readonly operation?: Operation
}

export interface SensitiveParts {
  readonly toolkit: Pick<LocalToolkit, 'sensitiveWords'>
  readonly logger: Pick<Logger, 'warn' | 'error'>
}

/** The names under which clients of some operations know this refusal. */
const CODES: Partial<Record<Operation, string>> = {
  images: 'invalid_image_request',
  'image-edits': 'invalid_image_request',
  'image-variations': 'invalid_image_request',
  speech: 'invalid_audio_request',
}
/** Code units that are searched at once: long texts are searched in turns with other requests. */
const AT_ONCE_MAX = 64 * 1024

/**
 * Rejects with SENSITIVE_WORDS if one of the texts has a word that is not allowed; that is logged, with the words, which the
 * client is never told. To be called before anything is sent. `texts`: asked for only while there is something to look for.
 */
export function refuseSensitive(
  { toolkit, logger }: SensitiveParts,
  asking: () => Asking,
  texts: () => readonly string[],
): Ready<void> {
  const { sensitiveWords } = toolkit
  if (!sensitiveWords.isActive()) return undefined
  const written = texts()
  const length = written.reduce((sum, text) => sum + text.length, 0)
  const refuse = async (words: readonly string[]): Promise<never> => {
    const asked = asking()
    await report({ toolkit, logger }, asked, words)
    throw sensitiveRefusal(asked.operation)
  }
  if (length > AT_ONCE_MAX) {
    return sensitiveWords.findInTurns(written).then((words) => (words.length > 0 ? refuse(words) : undefined))
  }
  const words = sensitiveWords.find(written)
  return words.length > 0 ? refuse(words) : undefined
}

/** The same for one event of a session, which goes on: answers the refusal, and logs it in the background. */
export function findSensitive(
  { toolkit, logger }: SensitiveParts,
  asking: Asking,
  texts: () => readonly string[],
): GatewayError | undefined {
  const { sensitiveWords } = toolkit
  if (!sensitiveWords.isActive()) return undefined
  const words = sensitiveWords.find(texts())
  if (words.length === 0) return undefined
  void report({ toolkit, logger }, asking, words)
  return sensitiveRefusal(asking.operation)
}

function sensitiveRefusal(operation: Operation | undefined): GatewayError {
  const code = operation && CODES[operation]
  return new GatewayError('SENSITIVE_WORDS', code === undefined ? {} : { code })
}

/** A refusal is told even when it cannot be written down. */
async function report(
  { toolkit, logger }: SensitiveParts,
  { requestId, caller: { user, token }, group, model }: Asking,
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
