import type { Config } from '../../core/config.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { CommandNotices } from '../notices.ts'

export function localNotices({ notices, mail }: LocalToolkit, { media }: Pick<Config, 'media'>): CommandNotices {
  const { targets, deliveries, thresholds, display } = notices
  return {
    list: targets.list,
    create: targets.create,
    update: targets.update,
    delete: targets.delete,
    deliveries: deliveries.list,
    retry: deliveries.retry,
    thresholds: thresholds.list,
    setThreshold: thresholds.set,
    async test(actor, id) {
      const [{ createDeliverNotice }, { testNotice }] = await Promise.all([
        import('../../server/notices/deliver.ts'),
        import('../../server/notices/test-notice.ts'),
      ])
      const deliver = createDeliverNotice({ mail, display, allowHosts: media.allowHosts })
      return testNotice(notices, deliver, actor, id)
    },
  }
}
