import type { Actor } from '../../../core/actor.ts'
import type { MadeCodes } from '../../../core/redemption/batches.ts'
import { CODES_PER_CALL } from '../../../core/redemption/redemption.ts'
import { type Patience, patiently } from '../../patience.ts'
import type { CommandToolkit } from '../../toolkit.ts'
import type { CodeFile } from './code-file.ts'

/** A batch of any size, in as many calls as it takes. */
export interface Batch {
  name: string
  quota: number
  count: number
  /** Each call has a key of its own, made of this one: what was made under it already is answered again. */
  key: string
}

/**
 * Tells of the codes that the key has made, and then makes those that are missing and tells of them, call by call. Before any is
 * made the file is known to have nothing else. Throws what `create` and `made` throw, FILE_EXISTS, and the signal's reason.
 */
export async function makeBatch(
  { cli, toolkit, actor }: { cli: Patience; toolkit: CommandToolkit; actor: Actor },
  { name, quota, count, key }: Batch,
  { signal, file, told }: { signal: AbortSignal; file: CodeFile | undefined; told: (codes: string[]) => void },
): Promise<void> {
  const keys = Array.from({ length: Math.ceil(count / CODES_PER_CALL) }, (_, at) => `${key}#${at + 1}`)
  const how = { signal, repeatable: true }
  const tell = (codes: string[]) => {
    file?.add(codes)
    told(codes)
  }
  const query = { name, quota, total: count, idempotencyKeys: keys }
  const { codes: there, ...spent } = await patiently(cli, how, () => toolkit.redemption.made(actor, query))
  if (there.length > 0) tell(there)
  warn(cli, spent)
  if (file?.ahead) throw file.foreign()
  for (let made = there.length; made < count; ) {
    const part = { name, quota, count: Math.min(CODES_PER_CALL, count - made), total: count }
    const once = { idempotencyKey: keys[made / CODES_PER_CALL] ?? key }
    const codes = await patiently(cli, how, () => toolkit.redemption.create(actor, part, once))
    tell(codes)
    made += codes.length
  }
}

/** A key answers for good, also with codes that nobody can redeem any more. */
function warn({ note, say }: Patience, { used, disabled, deleted }: Omit<MadeCodes, 'codes'>): void {
  if (used + disabled + deleted === 0) return
  note(say`Of the codes that this key has made, ${used} are used, ${disabled} are disabled and ${deleted} are deleted.`)
}
