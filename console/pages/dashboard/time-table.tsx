import Table from '@arco-design/web-react/es/Table'
import { useTranslation } from 'react-i18next'
import type { UsageRow } from '../../api/usage.ts'
import { Count } from '../../components/count.tsx'
import { Quota } from '../../components/quota.tsx'
import { bucketLabel, type Granularity } from './buckets.ts'
import { usageByTime } from './usage-series.ts'

const ROWS_PER_PAGE = 10

/** What the charts show, in numbers: each hour, day or week in which something was used, the newest first. */
export function TimeTable({ rows, granularity }: { rows: readonly UsageRow[]; granularity: Granularity }) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable with the keyboard
    <section className="scroll" tabIndex={0} aria-label={t('dashboard.timeTable')}>
      <Table
        rowKey="start"
        size="small"
        border={false}
        data={usageByTime(rows, granularity)}
        pagination={{ pageSize: ROWS_PER_PAGE, hideOnSinglePage: true, sizeCanChange: false }}
        columns={[
          {
            title: t('dashboard.time'),
            render: (_, { start }) => <span className="number">{bucketLabel(start, granularity)}</span>,
          },
          { title: t('dashboard.calls'), align: 'right', render: (_, { count }) => <Count value={count} /> },
          { title: t('dashboard.tokens'), align: 'right', render: (_, { tokens }) => <Count value={tokens} /> },
          { title: t('dashboard.quota'), align: 'right', render: (_, { quota }) => <Quota value={quota} /> },
        ]}
      />
    </section>
  )
}
