import Alert from '@arco-design/web-react/es/Alert'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAdmin, isRoot } from '../../access.ts'
import { type Drawing, listDrawings } from '../../api/drawings.ts'
import { useStatus } from '../../api/status.ts'
import { PageFrame } from '../../components/page.tsx'
import { TaskTable } from '../../components/task-list/task-table.tsx'
import { Link } from '../../router/link.tsx'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { drawingColumns } from './columns.tsx'
import { DrawingDetails } from './drawing-details.tsx'

export default function DrawingsPage() {
  const { t } = useTranslation()
  const { user } = useStore(session)
  const allUsers = isAdmin(user)
  const { data: status } = useStatus()
  const [open, setOpen] = useState<Drawing>()
  const columns = useMemo(() => drawingColumns(t, allUsers, setOpen), [t, allUsers])

  return (
    <PageFrame title={t('screen.drawing')}>
      {status?.enable_drawing === false && <Alert className="task-notice" content={t('drawing.switchedOff')} />}
      {allUsers && status?.mj_notify_enabled === false && (
        <Alert
          className="task-notice"
          content={t('drawing.notifyOff')}
          action={isRoot(user) && <Link to="/setting?tab=operation">{t('drawing.toSettings')}</Link>}
        />
      )}
      <TaskTable
        name="drawing"
        find={listDrawings}
        columns={columns}
        onOpen={setOpen}
        defaultRange="month"
        allUsers={allUsers}
        submission={{
          title: t('drawing.none'),
          hint: t('drawing.noneHint'),
          path: '/mj/submit/imagine',
          body: '{"prompt": "a lighthouse in the rain"}',
        }}
      />
      <DrawingDetails drawing={open} onClose={() => setOpen(undefined)} />
    </PageFrame>
  )
}
