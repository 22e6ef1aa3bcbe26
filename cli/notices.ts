import type { Actor } from '../core/actor.ts'
import type { DeliveryQuery } from '../core/notices/deliveries.ts'
import type { NoticeDelivery, NoticeTarget, NoticeThreshold } from '../core/notices/notice.ts'
import type { NewNoticeTarget, NoticeTargetChanges } from '../core/notices/schema.ts'

/** Notice targets for commands. The machine with the database sends the test notices. */
export interface CommandNotices {
  list(actor: Actor, query?: { gateway?: boolean | undefined }): Promise<NoticeTarget[]>
  create(actor: Actor, target: NewNoticeTarget): Promise<NoticeTarget>
  update(actor: Actor, id: number, changes: NoticeTargetChanges): Promise<NoticeTarget>
  delete(actor: Actor, id: number): Promise<NoticeTarget>
  test(actor: Actor, id: number): Promise<NoticeDelivery>
  deliveries(actor: Actor, query?: DeliveryQuery): Promise<NoticeDelivery[]>
  retry(actor: Actor, id: number): Promise<NoticeDelivery>
  thresholds(actor: Actor, query?: { user_id?: number | undefined }): Promise<NoticeThreshold[]>
  setThreshold(actor: Actor, threshold: NoticeThreshold): Promise<NoticeThreshold>
}
