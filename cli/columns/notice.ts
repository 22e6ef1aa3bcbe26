import type { NoticeDelivery, NoticeTarget, NoticeThreshold } from '../../core/notices/notice.ts'
import type { Column } from '../output/column.ts'

export const NOTICE_TARGET_COLUMNS: readonly Column<NoticeTarget>[] = [
  { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { name: 'name', rank: 2, value: ({ name }) => name, cut: true },
  { name: 'kind', rank: 3, value: ({ kind }) => kind },
  { name: 'address', rank: 4, value: ({ address }) => address || '-', cut: true },
  { name: 'enabled', rank: 5, value: ({ enabled }, { t }) => t(enabled ? 'label.yes' : 'label.no') },
  { name: 'events', rank: 6, value: ({ events }) => events.join(', ') || '-', cut: true },
  { name: 'language', value: ({ language }) => language, detail: true },
  { name: 'changed', value: ({ updated_at }, { moment }) => moment(updated_at), detail: true },
]

export const NOTICE_DELIVERY_COLUMNS: readonly Column<NoticeDelivery>[] = [
  { name: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { name: 'time', rank: 3, value: ({ created_at }, { moment }) => moment(created_at) },
  { name: 'event', rank: 2, value: ({ event }) => event },
  { name: 'subject', rank: 7, value: ({ subject }) => subject, cut: true },
  { name: 'target', rank: 4, value: ({ target }) => target, cut: true },
  {
    name: 'state',
    rank: 2,
    value: ({ state }, { label }) => label(state),
    tone: ({ state }) => (state === 'failed' ? 'bad' : state === 'delivered' ? 'good' : undefined),
  },
  { name: 'attempts', rank: 6, value: ({ attempts }) => String(attempts), align: 'right' },
  { name: 'next', rank: 8, value: ({ state, next_at }, { moment }) => (state === 'pending' ? moment(next_at) : '-') },
  {
    name: 'error',
    rank: 5,
    value: ({ status, error }) =>
      [status > 0 && error !== '' ? String(status) : '', error].filter(Boolean).join(' ') || '-',
    cut: true,
  },
]

export const NOTICE_THRESHOLD_COLUMNS: readonly Column<NoticeThreshold>[] = [
  { name: 'subject', rank: 1, value: ({ subject, subject_id }, { label }) => `${label(subject)} ${subject_id}` },
  { name: 'percents', rank: 2, value: ({ percents }) => percents.map((percent) => `${percent}%`).join(', ') || '-' },
]
