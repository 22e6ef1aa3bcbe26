import Alert from '@arco-design/web-react/es/Alert'
import Form from '@arco-design/web-react/es/Form'
import Message from '@arco-design/web-react/es/Message'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client.ts'
import { createToken, getToken, setTokenStatus, TOKEN_STATUS, type Token, updateToken } from '../../api/tokens.ts'
import { FormDrawer } from '../../components/form/form-drawer.tsx'
import { NoticeThresholds } from '../../components/notices/thresholds.tsx'
import { useAct } from '../../components/saving.ts'
import { TokenFields } from './token-fields.tsx'
import { changesOf, formOf, isRepaired, NEW_TOKEN_FORM, namesOf, settingsOf, type TokenForm } from './token-form.ts'

interface Props {
  /** The id of the token to edit or `'new'`; undefined closes the drawer. */
  opened: string | undefined
  onClose: () => void
  /** Called with the new tokens when the drawer closes. */
  onMade: (tokens: Token[]) => void
}

/** The tokens created during one opening of the drawer. */
interface Run {
  made: Token[]
  /** A token is being created: its key is shown with the others. */
  busy: boolean
  closed: boolean
}

const newRun = (): Run => ({ made: [], busy: false, closed: false })

export function TokenDrawer({ opened, onClose, onMade }: Props) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const [form] = Form.useForm<TokenForm>()
  const isNew = opened === 'new'
  const run = useRef(newRun())
  const [madeCount, setMadeCount] = useState(0)
  /** The server is rate limiting: the input is valid, and the user must wait. */
  const [mustWait, setMustWait] = useState(false)
  const end = useEffectEvent((mine: Run) => {
    mine.closed = true
    if (!mine.busy) handOut(mine)
  })
  // Covers every way of closing, including back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening starts a new run
  useEffect(() => {
    const mine = newRun()
    run.current = mine
    setMadeCount(0)
    setMustWait(false)
    return () => end(mine)
  }, [opened])
  const token = useQuery({
    queryKey: ['token', 'one', opened],
    queryFn: ({ signal }) => getToken(Number(opened), signal),
    enabled: opened !== undefined && !isNew,
    // Always load the token: edits are computed from the initial values, which must be current, so that spent quota is not
    // restored.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })

  const creating = useAct({
    async run(values: TokenForm) {
      const mine = run.current
      const settings = settingsOf(values)
      if (!settings) return mine
      const before = mine.made.length
      mine.busy = true
      setMustWait(false)
      try {
        // Creates the tokens one by one. The first rejection stops the rest and is reported. Closing the drawer stops them too.
        for (const name of namesOf({ ...values, name: values.name.trim(), made: before })) {
          if (mine.closed) break
          mine.made.push(await createToken({ name, ...settings }))
        }
      } catch (error) {
        if (!mine.closed) setMustWait(error instanceof ApiError && error.kind === 'too-many')
        throw error
      } finally {
        mine.busy = false
        if (mine.closed) handOut(mine)
        else {
          setMadeCount(mine.made.length)
          form.setFieldValue('count', values.count - (mine.made.length - before))
        }
        await queryClient.invalidateQueries({ queryKey: ['token'] })
      }
      return mine
    },
    done: ({ made }) => (made.length === 1 ? t('token.createdDone') : t('token.createdMany', { count: made.length })),
  })

  async function create(values: TokenForm) {
    const { closed } = await creating.mutateAsync(values)
    // Otherwise a drawer opened meanwhile would be closed.
    if (closed) throw new Error('closed meanwhile')
  }

  const updating = useAct({
    async run(values: TokenForm) {
      const changes = token.data && changesOf(token.data, values)
      if (!token.data || !changes) return
      const { id } = token.data
      const updated = await updateToken({ id, ...changes })
      // Editing keeps the status, so enable the token if the edit has fixed the cause.
      if (isRepaired(updated, Date.now())) await setTokenStatus({ id, status: TOKEN_STATUS.enabled })
    },
    done: t('token.updated'),
    stale: ['token'],
  })

  async function update(values: TokenForm) {
    const changes = token.data && changesOf(token.data, values)
    if (token.data && changes && Object.keys(changes).length === 0 && !isRepaired(token.data, Date.now())) {
      Message.info(t('action.nothingChanged'))
      throw new Error('nothing changed')
    }
    return updating.mutateAsync(values)
  }

  function handOut({ made }: Run) {
    if (made.length > 0) onMade(made)
  }

  return (
    <FormDrawer<TokenForm>
      title={isNew ? t('token.create') : t('token.update')}
      visible={opened !== undefined}
      form={form}
      initialValues={isNew ? NEW_TOKEN_FORM : token.data && formOf(token.data)}
      loading={token}
      onSubmit={isNew ? create : update}
      invalidText={(fields) => (fields.includes('expires') ? t('token.badExpiry') : undefined)}
      onClose={onClose}
      place="open"
    >
      {madeCount > 0 && (
        <Alert
          type="warning"
          style={{ marginBottom: 16 }}
          content={t(mustWait ? 'token.madeUntilBusy' : 'token.madeSome', { count: madeCount })}
        />
      )}
      <TokenFields form={form} isNew={isNew} madeCount={madeCount} />
      {!isNew && token.data && <NoticeThresholds subject="token" subject_id={token.data.id} />}
    </FormDrawer>
  )
}
