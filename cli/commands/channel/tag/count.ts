import type { Actor } from '../../../../core/actor.ts'
import { GatewayError } from '../../../../core/errors.ts'
import type { CommandToolkit } from '../../../toolkit.ts'

/** Number of channels with the tag. Throws TAG_UNKNOWN for none, so that a mistyped tag does not look like success. */
export async function countTagged({ channels }: CommandToolkit, actor: Actor, tag: string): Promise<number> {
  const { total } = tag === '' ? { total: 0 } : await channels.list(actor, { tag, pageSize: 1 })
  if (total === 0) throw new GatewayError('TAG_UNKNOWN', { tag })
  return total
}
