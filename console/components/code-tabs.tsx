import Tabs, { type TabsProps } from '@arco-design/web-react/es/Tabs'
import { CodeBlock } from './code-block.tsx'

interface Props extends TabsProps {
  tabs: readonly { name: string; title?: string; code: string }[]
}

/** Code blocks, each in a tab. The title of a tab is its name by default. */
export function CodeTabs({ tabs, ...tabsProps }: Props) {
  return (
    <Tabs {...tabsProps}>
      {tabs.map(({ name, title = name, code }) => (
        <Tabs.TabPane key={name} title={title}>
          <CodeBlock>
            <code>{code}</code>
          </CodeBlock>
        </Tabs.TabPane>
      ))}
    </Tabs>
  )
}
