import type { Actor } from '../../../core/actor.ts'
import type { CreatedCodes } from '../../../core/redemption/batches.ts'
import { CODES_PER_CALL } from '../../../core/redemption/redemption.ts'
import { type RetryContext, withRetry } from '../../run/retry.ts'
import type { CommandToolkit } from '../../toolkit.ts'
import type { CodeFile } from './code-file.ts'

/** Codes to create, by as many calls as needed. */
export interface CodeRequest {
  name: string
  quota: number
  count: number
  /** Idempotency key of all codes. Each call derives its own key, so a repeated call returns the same codes. */
  key: string
}

/**
 * Reports the codes that calls with the key have already created, then creates the missing codes in several calls.
 * Before codes are created, checks that the file has no other content. Throws errors of `create` and `findCreated`,
 * FILE_EXISTS, and the signal's reason.
 */
export async function createCodes(
  { cli, toolkit, actor }: { cli: RetryContext; toolkit: CommandToolkit; actor: Actor },
  { name, quota, count, key }: CodeRequest,
  { signal, file, onCodes }: { signal: AbortSignal; file: CodeFile | undefined; onCodes: (codes: string[]) => void },
): Promise<void> {
  const keys = Array.from({ length: Math.ceil(count / CODES_PER_CALL) }, (_, at) => `${key}#${at + 1}`)
  const retryOptions = { signal, repeatable: true }
  const deliver = (codes: string[]) => {
    file?.add(codes)
    onCodes(codes)
  }
  const query = { name, quota, total: count, idempotencyKeys: keys }
  const { codes: existingCodes, ...unusableCounts } = await withRetry(cli, retryOptions, () =>
    toolkit.redemption.findCreated(actor, query),
  )
  if (existingCodes.length > 0) deliver(existingCodes)
  warnOfUnusable(cli, unusableCounts)
  if (file?.hasMoreContent) throw file.contentDiffers()
  for (let made = existingCodes.length; made < count; ) {
    const part = { name, quota, count: Math.min(CODES_PER_CALL, count - made), total: count }
    const once = { idempotencyKey: keys[made / CODES_PER_CALL] ?? key }
    const codes = await withRetry(cli, retryOptions, () => toolkit.redemption.create(actor, part, once))
    deliver(codes)
    made += codes.length
  }
}

/** Warns about codes that can no longer be redeemed. The same idempotency key returns the same codes in any state. */
function warnOfUnusable({ note, t }: RetryContext, { used, disabled, deleted }: Omit<CreatedCodes, 'codes'>): void {
  if (used + disabled + deleted === 0) return
  note(t('redemption.ofTheCodesCreated', { used, disabled, deleted }))
}
