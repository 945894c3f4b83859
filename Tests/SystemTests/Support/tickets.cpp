// The ticket machine of Tests/LayoutTests/Files/good/talking.yaml as a Qt program draws it. Prints the touches that its window gets, in points
// of the layout, and the buttons that were pressed. It knows nothing of touchd.
//
// Build: g++ -fPIC tickets.cpp -o tickets $(pkg-config --cflags --libs Qt5Widgets)
#include <QtWidgets>

static void print(const QString &line) { std::puts(qPrintable(line)), std::fflush(stdout); }

struct TouchPrinter : QObject {
    bool eventFilter(QObject *receiver, QEvent *event) override {
        // Widgets get each touch again, and the mouse's events that Qt makes of it.
        if (!receiver->isWindowType()) return false;
        if (event->type() == QEvent::TouchCancel) print("cancelled");
        if (event->type() != QEvent::TouchBegin && event->type() != QEvent::TouchUpdate && event->type() != QEvent::TouchEnd) return false;
        static const QMap<int, QString> phases{
            {Qt::TouchPointPressed, "began"}, {Qt::TouchPointMoved, "moved"}, {Qt::TouchPointReleased, "ended"}};
        for (const auto &touch : static_cast<QTouchEvent *>(event)->touchPoints())
            if (const QString phase = phases.value(touch.state()); !phase.isEmpty()) {
                const QPointF place = touch.screenPos();
                const QSize screen = QGuiApplication::primaryScreen()->size();
                print(QString("%1 %2 %3").arg(phase)
                    .arg(qRound(place.x() / screen.width() * 1080)).arg(qRound(place.y() / screen.height() * 1920)));
            }
        return false;
    }
};

int main(int count, char *words[]) {
    QApplication application(count, words);
    TouchPrinter printer;
    application.installEventFilter(&printer);
    const QSize screen = application.primaryScreen()->size();
    QWidget window;
    QStackedWidget pages(&window);
    auto add = [&](QWidget *parent, const QString &name, double y, double height, QWidget *next = nullptr) {
        auto *button = new QPushButton(name, parent);
        const double across = screen.width() / 1080.0, down = screen.height() / 1920.0;
        button->setGeometry(QRectF(90 * across, y * down, 900 * across, height * down).toRect());
        QObject::connect(button, &QPushButton::clicked, [=, &pages] {
            print("pressed " + name);
            if (next) pages.setCurrentWidget(next);
        });
    };
    auto *start = new QWidget, *tickets = new QWidget;
    add(start, "Deutsch", 600, 260, tickets);
    add(start, "English", 920, 260, tickets);
    add(tickets, "Single", 300, 235);
    add(tickets, "Day ticket", 555, 235);
    add(tickets, "Week ticket", 810, 235);
    pages.addWidget(start);
    pages.addWidget(tickets);
    pages.resize(screen);
    add(&window, "Start", 1760, 160, start);
    // Qt gives touches of TUIO to the window with the focus.
    QObject::connect(&application, &QGuiApplication::focusWindowChanged, [](QWindow *focus) {
        if (focus) print("ready");
    });
    window.showFullScreen();
    return application.exec();
}
