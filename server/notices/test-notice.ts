import type { Actor } from '../../core/actor.ts'
import type { NoticeDelivery } from '../../core/notices/notice.ts'
import type { Notices } from '../../core/notices/notices.ts'
import type { DeliverNotice } from './deliver.ts'

/**
 * Sends a test notice to a target at once, and returns the delivery with its outcome. Throws NOTICE_TARGET_NOT_FOUND.
 */
export async function testNotice(
  { deliveries, outgoing }: Pick<Notices, 'deliveries' | 'outgoing'>,
  deliver: DeliverNotice,
  actor: Actor,
  targetId: number,
): Promise<NoticeDelivery> {
  const id = await deliveries.beginTest(actor, targetId)
  const test = await outgoing.read(id)
  if (test) await outgoing.finish(test, await deliver(test, new AbortController().signal))
  return deliveries.get(actor, id)
}
