import Table from '@arco-design/web-react/es/Table'
import { useTranslation } from 'react-i18next'
import { Count } from '../../components/count.tsx'
import { Quota } from '../../components/quota.tsx'
import { Link } from '../../router/link.tsx'
import { bucketEnd, bucketLabel, type Granularity } from './buckets.ts'
import { type LogScope, logPath } from './groups.ts'
import { type HourlyUsage, usageByTime } from './usage-series.ts'

const ROWS_PER_PAGE = 10

interface Props {
  rows: readonly HourlyUsage[]
  granularity: Granularity
  /** Selects the relays that the log links show. */
  scope: LogScope
}

/** The charts' numbers as a table: each hour, day or week with usage, newest first. */
export function TimeTable({ rows, granularity, scope }: Props) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label={t('dashboard.timeTable')}>
      <Table
        className="time-table"
        rowKey="start"
        size="small"
        border={false}
        data={usageByTime(rows, granularity)}
        pagination={{ pageSize: ROWS_PER_PAGE, hideOnSinglePage: true, sizeCanChange: false }}
        columns={[
          {
            title: t('field.time'),
            render: (_, { start }) => (
              <Link className="number" to={logPath({ from: start, to: bucketEnd(start, granularity) }, scope)}>
                {bucketLabel(start, granularity)}
              </Link>
            ),
          },
          { title: t('dashboard.metrics.count'), align: 'right', render: (_, { count }) => <Count value={count} /> },
          { title: t('dashboard.metrics.tokens'), align: 'right', render: (_, { tokens }) => <Count value={tokens} /> },
          { title: t('dashboard.metrics.quota'), align: 'right', render: (_, { quota }) => <Quota value={quota} /> },
        ]}
      />
    </section>
  )
}
