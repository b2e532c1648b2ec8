import { ApolloProvider } from '@apollo/client/react';
import { useLayoutEffect, useState } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { createClient } from './apollo/client';
import { beginPage } from './apollo/cost';
import { Banner } from './components/banner';
import { CostBar } from './components/cost-bar';
import { ErrorBoundary } from './components/error-boundary';
import { Expired } from './components/expired';
import { Header } from './components/header';
import { Notices } from './components/notices';
import { NewOrderPage } from './pages/new-order';
import { NotFound } from './pages/not-found';
import { OrderPage } from './pages/order';
import { Orders } from './pages/orders';
import { PendingOrders } from './pages/pending-orders';
import { Followers, Following } from './pages/people';
import { ProfilePage } from './pages/profile';
import { SignInPage } from './pages/sign-in';
import { useSession } from './session';

/** Each user has a client of their own, because what one was allowed to see is not for the next one. */
export function App() {
  const session = useSession();
  return <Shop key={session?.userId} />;
}

function Shop() {
  const [client] = useState(createClient);
  const session = useSession();
  const { pathname } = useLocation();
  useLayoutEffect(() => beginPage(pathname), [pathname]); // before the queries of its components are sent
  return (
    <ApolloProvider client={client}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Header />
      <Banner />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary path={pathname} onRetry={() => client.clearStore()}>
          <Routes>
            <Route path="/" element={<Navigate to={session ? `/users/${session.userId}` : '/sign-in'} replace />} />
            <Route path="/sign-in" element={<SignInPage />} />
            <Route path="/users/:id" element={<ProfilePage />}>
              <Route index element={<Orders />} />
              <Route path="followers" element={<Followers />} />
              <Route path="following" element={<Following />} />
            </Route>
            <Route path="/orders/new" element={<NewOrderPage />} />
            <Route path="/orders/:id" element={<OrderPage />} />
            <Route path="/pending" element={<PendingOrders />} />
            <Route path="*" element={<NotFound what="page" />} />
          </Routes>
        </ErrorBoundary>
      </main>
      <CostBar />
      <Notices />
      <Expired />
    </ApolloProvider>
  );
}
