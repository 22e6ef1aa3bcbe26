import type { NoticeDelivery, NoticeTarget, NoticeThreshold } from '../../core/notices/notice.ts'
import type { Column } from '../output/column.ts'

export const NOTICE_TARGET_COLUMNS: readonly Column<NoticeTarget>[] = [
  { title: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { title: 'name', rank: 2, value: ({ name }) => name, cut: true },
  { title: 'kind', rank: 3, value: ({ kind }) => kind },
  { title: 'address', rank: 4, value: ({ address }) => address || '-', cut: true },
  { title: 'enabled', rank: 5, value: ({ enabled }, { text }) => text(enabled ? 'yes' : 'no') },
  { title: 'events', rank: 6, value: ({ events }) => events.join(', ') || '-', cut: true },
  { title: 'language', value: ({ language }) => language, detail: true },
  { title: 'changed', value: ({ updated_at }, { moment }) => moment(updated_at), detail: true },
]

export const NOTICE_DELIVERY_COLUMNS: readonly Column<NoticeDelivery>[] = [
  { title: 'id', rank: 1, value: ({ id }) => String(id), align: 'right' },
  { title: 'time', rank: 3, value: ({ created_at }, { moment }) => moment(created_at) },
  { title: 'event', rank: 2, value: ({ event }) => event },
  { title: 'subject', rank: 7, value: ({ subject }) => subject, cut: true },
  { title: 'target', rank: 4, value: ({ target }) => target, cut: true },
  {
    title: 'state',
    rank: 2,
    value: ({ state }, { text }) => text(state),
    tone: ({ state }) => (state === 'failed' ? 'bad' : state === 'delivered' ? 'good' : undefined),
  },
  { title: 'attempts', rank: 6, value: ({ attempts }) => String(attempts), align: 'right' },
  { title: 'next', rank: 8, value: ({ state, next_at }, { moment }) => (state === 'pending' ? moment(next_at) : '-') },
  {
    title: 'error',
    rank: 5,
    value: ({ status, error }) =>
      [status > 0 && error !== '' ? String(status) : '', error].filter(Boolean).join(' ') || '-',
    cut: true,
  },
]

export const NOTICE_THRESHOLD_COLUMNS: readonly Column<NoticeThreshold>[] = [
  { title: 'subject', rank: 1, value: ({ subject, subject_id }, { text }) => `${text(subject)} ${subject_id}` },
  { title: 'percents', rank: 2, value: ({ percents }) => percents.map((percent) => `${percent}%`).join(', ') || '-' },
]
