import Alert from '@arco-design/web-react/es/Alert'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAdmin } from '../../access.ts'
import { type AsyncTask, listAsyncTasks } from '../../api/async-tasks.ts'
import { useStatus } from '../../api/status.ts'
import { PageFrame } from '../../components/page.tsx'
import { TaskTable } from '../../components/task-list/task-table.tsx'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { taskColumns } from './columns.tsx'
import { TaskDetails } from './task-details.tsx'

export default function TasksPage() {
  const { t } = useTranslation()
  const allUsers = isAdmin(useStore(session).user)
  const { data: status } = useStatus()
  const [open, setOpen] = useState<AsyncTask>()
  const columns = useMemo(() => taskColumns(t, allUsers, setOpen), [t, allUsers])

  return (
    <PageFrame title={t('screen.task')}>
      {status?.enable_task === false && <Alert className="task-notice" content={t('task.switchedOff')} />}
      <TaskTable
        name="task"
        find={listAsyncTasks}
        columns={columns}
        onOpen={setOpen}
        defaultRange="today"
        allUsers={allUsers}
        submission={{
          title: t('task.noneInRange'),
          hint: t('task.noneHint'),
          path: '/suno/submit/music',
          body: '{"gpt_description_prompt": "rain on a tin roof"}',
        }}
      />
      <TaskDetails task={open} onClose={() => setOpen(undefined)} />
    </PageFrame>
  )
}
