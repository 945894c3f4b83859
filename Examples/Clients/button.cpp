// Publishes a button in the middle of a slot of touchd's layout, and prints what happens to it.
//
// Build: g++ -fPIC button.cpp -o button $(pkg-config --cflags --libs Qt5Network)      or Qt6Network
// Usage: button SLOT [SOCKET]
#include <QtCore>
#include <QtNetwork>

int main(int count, char *words[]) {
    QCoreApplication application(count, words);
    const QStringList arguments = application.arguments();
    QLocalSocket touchd;
    auto fail = [](const QString &message) { qCritical("%s", qPrintable(message)), std::exit(1); };
    auto send = [&](const QJsonObject &request) { touchd.write(QJsonDocument(request).toJson(QJsonDocument::Compact) + '\n'); };

    QObject::connect(&touchd, &QLocalSocket::connected, [&] {
        const QJsonObject button{
            {"id", "button"}, {"frame", QJsonArray{"25%", "25%", "50%", "50%"}}, {"control", "button"}};
        send({{"request", "views"}, {"slot", arguments.value(1)}, {"publisher", "button.cpp"}, {"views", QJsonArray{button}}});
        send({{"request", "subscribe"}, {"to", QJsonArray{"controls"}}, {"own", true}});
    });
    QObject::connect(&touchd, &QLocalSocket::readyRead, [&] {
        while (touchd.canReadLine()) {
            const QJsonObject message = QJsonDocument::fromJson(touchd.readLine()).object();
            const QString event = message["event"].toString(), change = message["change"].toString();
            const QJsonObject area = message["result"].toObject();
            if (message.contains("error")) fail(message["error"].toObject()["message"].toString());
            if (event == "slot" && change != "resized") fail("the slot is " + change);
            if (event == "control") std::puts(qPrintable(message["control"].toString()));
            if (area.contains("width")) std::printf("published in %g × %g points\n", area["width"].toDouble(), area["height"].toDouble());
            std::fflush(stdout);
        }
    });
    // The slot is emptied when this program ends.
    QObject::connect(&touchd, &QLocalSocket::disconnected, [&] { fail("touchd has closed the connection"); });
    QObject::connect(&touchd, &QLocalSocket::errorOccurred, [&] { fail(touchd.errorString()); });
    touchd.connectToServer(arguments.value(2, "/run/touchd/control"));
    return application.exec();
}
