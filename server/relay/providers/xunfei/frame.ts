import { defined } from '../../../../core/records.ts'
import type { Conversation, Turn } from '../../conversation/conversation.ts'
import { mergeTurns, splitSystem, systemAsUser } from '../../conversation/turns.ts'
import {
  beginningWithUser,
  checkPlainReply,
  clamp,
  FILLER_TEXT,
  plainText,
  systemAsDialog,
} from '../plain-conversation.ts'
import type { SparkService } from './service.ts'

const USER_LENGTH_MAX = 32
/** Bounds of the temperature. Spark rejects 0. With 0.01, replies are almost deterministic. */
const TEMPERATURES = [0.01, 1] as const
const TOP_K = [1, 6] as const

/**
 * Returns the only frame that the gateway sends on a Spark websocket. Throws the errors of `plainText` and
 * `checkPlainReply`. https://www.xfyun.cn/doc/spark/Web.html
 */
export function sparkFrame(
  conversation: Conversation,
  { service, appId }: { service: Pick<SparkService, 'domain' | 'systemRole'>; appId: string },
): Record<string, unknown> {
  checkPlainReply(conversation)
  const { user, temperature, topK, maxTokens, turns } = conversation
  return {
    header: defined({ app_id: appId, uid: user?.slice(0, USER_LENGTH_MAX) }),
    parameter: {
      chat: defined({
        domain: service.domain,
        temperature: clamp(temperature, TEMPERATURES),
        top_k: clamp(topK, TOP_K),
        max_tokens: maxTokens,
        auditing: 'default',
      }),
    },
    payload: {
      message: {
        text: alternatingTurns(turns, service).map(({ role, parts }) => ({
          role,
          content: plainText(parts) || FILLER_TEXT,
        })),
      },
    },
  }
}

function alternatingTurns(turns: readonly Turn[], { systemRole }: Pick<SparkService, 'systemRole'>): Turn[] {
  if (!systemRole) return [...beginningWithUser(mergeTurns(turns.flatMap(systemAsDialog)))]
  const { system, rest } = splitSystem(turns)
  return [...mergeTurns(system), ...beginningWithUser(mergeTurns(systemAsUser(rest)))]
}
