import { Component, type ReactNode } from 'react';
import { Problem } from './problem';

type Props = { path: string; onRetry: () => Promise<unknown>; children: ReactNode };

/** Shows what a component throws in its place, until one tries again or goes elsewhere. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  state = { failed: false };

  static getDerivedStateFromError = () => ({ failed: true });

  componentDidUpdate(before: Props) {
    if (before.path !== this.props.path && this.state.failed) this.setState({ failed: false });
  }

  retry = async () => {
    await this.props.onRetry();
    this.setState({ failed: false });
  };

  render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Problem title="This page does not work" onRetry={this.retry}>
        It is our fault, not yours. What you wrote before is safe.
      </Problem>
    );
  }
}
